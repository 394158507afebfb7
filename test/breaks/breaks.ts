/** Defects to build in, at least one for each rule of the provider. Each must fail the contract suite or the unit tests. */
export interface Break {
  /** The rule that no longer holds. */
  readonly rule: string;
  /** Below provider/src. */
  readonly file: string;
  /** The code that keeps the rule; it stands in the file once. */
  readonly code: string;
  readonly replacement: string;
}

const operations = "core/groupOperations.ts";

export const breaks: readonly Break[] = [
  {
    rule: "a preview needs no credentials",
    file: "settings/readSettings.ts",
    code: "settingsSchema.partial({ baseUrl: true, apiToken: true })",
    replacement: "settingsSchema.partial({ baseUrl: true })",
  },
  {
    rule: "adopt: false refuses a group that exists",
    file: operations,
    code: "assertAdoptable(result, adopt, client.subject);",
    replacement: "",
  },
  {
    rule: "an adopted group is recorded as adopted",
    file: operations,
    code: "return { ...storedAsAdopted(group, result.group), adopted: !isPossiblyOurs };",
    replacement: "return { ...storedAsAdopted(group, result.group), adopted: false };",
  },
  {
    rule: "no resource adopts a group while another one deletes it",
    file: "core/groupContext.ts",
    code: "tracker.inTurn(context.key, () => work(context))",
    replacement: "work(context)",
  },
  {
    rule: "no update deletes a group that another resource keeps unchanged",
    file: "core/deploymentTracker.ts",
    code: "lost: leaving.filter(isUnchanged),",
    replacement: "lost: [],",
  },
  {
    rule: "a lost response leaves open who created the group",
    file: "service/http/jsonRequest.ts",
    code: "isPossiblyApplied ||= outcome.fault.isPossiblyApplied;",
    replacement: "",
  },
  {
    rule: "a service that normalizes values settles after one creation",
    file: "core/storedGroup.ts",
    code: "name === undefined || name === shown?.name ? {} : { name }",
    replacement: "name === undefined ? {} : { name }",
  },
  {
    rule: "a name that somebody else changed is drift",
    file: "core/storedGroup.ts",
    code: "name === undefined || name === shown?.name ? {} : { name }",
    replacement: "{}",
  },
  {
    rule: "a read warns of a group that was gone",
    file: operations,
    code: 'if (result.isNew) warn("created again", client.subject);\n    return storedAsRead(stored, result);',
    replacement: "return storedAsRead(stored, result);",
  },
  {
    rule: "a group that moves with another mapping is recreated",
    file: operations,
    code: "undeleted !== undefined || tracker.hasOtherValues(key, group);",
    replacement: "undeleted !== undefined;",
  },
  {
    rule: "a deletion fails while the state may claim a mapping that the service doesn't have",
    file: operations,
    code: 'if (changes === "replace" && tracker.isMappingInDoubt(key, stored)) throw mappingConflict(client.subject);',
    replacement: "",
  },
  {
    rule: "a create fails after a deletion that retainOnDelete skipped",
    file: operations,
    code: "if (undeleted?.token === result.group.token) throw replacementRetained(client.subject, undeleted, result);",
    replacement: "",
  },
  {
    rule: "a deletion keeps a group that another resource has",
    file: operations,
    code: "if (!isCreatedAgain && tracker.isUsedElsewhere(key)) {",
    replacement: "if (false) {",
  },
  {
    rule: "two resources can't declare one group",
    file: "core/declarations.ts",
    code: "declaredTwice.length > 0 ? [declaredTwiceIssue(namesFor(declaredTwice))] : []",
    replacement: "[]",
  },
  {
    rule: "{} and unset are equal",
    file: "values.ts",
    code: "value == null || isEmpty ? null",
    replacement: "value == null ? null",
  },
  {
    rule: "the order of keys is no change",
    file: "values.ts",
    code: "return isDeepStrictEqual(comparable(one), comparable(other));",
    replacement: "return JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));",
  },
  {
    rule: "the state of another provider is rewritten",
    file: "core/userGroupDiff.ts",
    code: ' || address === "state-only" || isForeign',
    replacement: ' || address === "state-only"',
  },
  {
    rule: "a state of another service gets no request",
    file: "core/services.ts",
    code: "if (recorded === undefined || recorded === baseUrl || recorded === formerBaseUrl) return;",
    replacement: "return;",
  },
  {
    rule: "formerBaseUrl declares that the service has moved",
    file: "core/services.ts",
    code: "if (recorded === undefined || recorded === baseUrl || recorded === formerBaseUrl) return;",
    replacement: "if (recorded === undefined || recorded === baseUrl) return;",
  },
  {
    rule: "two spellings of an address are equal",
    file: "settings/serviceAddress.ts",
    code: '.transform(({ href }) => href.replace(/\\/+$/, ""));',
    replacement: ".transform(({ href }) => href);",
  },
  {
    rule: "an address needs https, or a loopback host",
    file: "settings/serviceAddress.ts",
    code: 'protocol === "https:" || (protocol === "http:" && loopbackHost.test(hostname)),',
    replacement: 'protocol === "https:" || (protocol === "http:" && hostname !== ""),',
  },
  {
    rule: "a change of the ID creates first",
    file: "core/userGroupDiff.ts",
    code: "deleteBeforeReplace: moved.length === 0,",
    replacement: "deleteBeforeReplace: true,",
  },
  {
    rule: "a change of the mapping replaces the group",
    file: "core/changes.ts",
    code: 'export const replacingFields = ["name", "mapping", "properties"]',
    replacement: 'export const replacingFields = ["name", "properties"]',
  },
  {
    rule: "a change of keepers replaces the group with changes: update, too",
    file: "core/userGroupDiff.ts",
    code: "[...rewritten, ...kept] : kept;",
    replacement: "[...rewritten, ...kept] : [];",
  },
  {
    rule: "the preview announces a new token",
    file: "core/userGroupDiff.ts",
    code: "if (tracker.hasProgram) logger.warn(replacementSentence(userGroupId, replaced));",
    replacement: "",
  },
  {
    rule: "an update that the service didn't apply fails",
    file: operations,
    code: "if (ignored.length > 0) throw updateNotApplied(client.subject, ignored);",
    replacement: "",
  },
  {
    rule: "a deletion that was applied already succeeds",
    file: operations,
    code: "mayBeGone(error) ? await probe(asSent(stored), client) : undefined;",
    replacement: "undefined;",
  },
  {
    rule: "a refusal is no success",
    file: "service/client.ts",
    code: "response.status > 299 || isRefusal(response.body)",
    replacement: "response.status > 299",
  },
  {
    rule: "501 isn't retried",
    file: "service/http/retryPolicy.ts",
    code: "status >= 500 && status !== 501 && status !== 505",
    replacement: "status >= 500",
  },
  {
    rule: "Retry-After is kept",
    file: "service/http/retryPolicy.ts",
    code: "Math.max(retryAfterMilliseconds ?? 0, random() * ceiling)",
    replacement: "random() * ceiling",
  },
  {
    rule: "a redirect isn't followed",
    file: "service/http/attempt.ts",
    code: 'redirect: "manual",',
    replacement: 'redirect: "follow",',
  },
  {
    rule: "a response has at most 1 MiB",
    file: "service/http/attempt.ts",
    code: "if (size > maxResponseBytes)",
    replacement: "if (size < 0)",
  },
  {
    rule: "a response must be about the group of the request",
    file: "service/client.ts",
    code: "if (providedId !== subject.userGroupId) throw wrongGroup(exchanged);",
    replacement: "",
  },
  {
    rule: "waiting for a connection is no part of the time-out",
    file: "service/http/jsonRequest.ts",
    code: "const work = () => context.budget.spend(() => attempt(request, connections, context));\n  return connections.queue.run(context.signal, work)",
    replacement:
      "const work = () => attempt(request, connections, context);\n  return context.budget.spend(() => connections.queue.run(context.signal, work))",
  },
  {
    rule: "maxConnections limits the requests at a time",
    file: "service/http/requestQueue.ts",
    code: "this.#free = size;",
    replacement: "this.#free = Infinity;",
  },
  {
    rule: "only an unbroken run of failures stops the other groups",
    file: "core/eachGroup.ts",
    code: "? failuresInARow + 1 : 0;",
    replacement: "? failuresInARow + 1 : failuresInARow;",
  },
  {
    rule: "one group's failure stops no other",
    file: "core/eachGroup.ts",
    code: "if (error) failed.push({ userGroupId: item.userGroupId, error });",
    replacement: "if (error) throw error;",
  },
  {
    rule: "groups that are too large for a partial failure are refused",
    file: "core/userGroupsLifecycle.ts",
    code: '...(isObject(inputs["groups"]) ? sizeIssues(inputs["groups"]) : []),',
    replacement: "",
  },
  {
    rule: "deletionLimit refuses a larger deletion",
    file: "core/groupPlan.ts",
    code: 'if (typeof limit !== "number" || deleted.length <= limit) return;',
    replacement: "return;",
  },
  {
    rule: "tokens are secret outputs",
    file: "core/lifecycle.ts",
    code: 'export const secretOutputs = ["token", "tokens", "shown", "sent"] as const;',
    replacement: 'export const secretOutputs = ["shown", "sent"] as const;',
  },
];
