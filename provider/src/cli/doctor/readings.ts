/** The steps of a probe → what they show of the service, the settings to use, and what stays unknown. */
import { isEqual } from "../../values";
import { existingIn, existingReadings, isUpdating, type Existing } from "./existing";
import { isDeletion, isWay, ways, type ShownGroup, type Step, type Way } from "./probe";
import { failed, ok, unknown, warning, type Finding } from "./report";

export function readingsOf(steps: readonly Step[]): Finding[] {
  const create = steps.find(({ purpose }) => purpose === "create");
  if (!create) return [];
  if (!create.group) return [notCreated(create)];
  const recreations = steps.filter(({ purpose, isNew }) => purpose === "verify" && isNew);
  const existing = existingIn(steps);
  return [
    ok("The API token is accepted"),
    ...existingReadings(existing),
    unknown("The mapping of an existing group can't be checked, because the service never returns it"),
    [create, ...recreations].some(isNormalized)
      ? ok("The service normalizes values: it returns others than it gets (blanks or case)")
      : ok("Names and properties are returned as they were sent, with blanks and case"),
    propertiesReading(create.group, recreations[0]?.group),
    ...tokenReadings(steps),
    ...deletionReadings(steps),
    refusalReading(steps),
    settingsReading(steps, existing),
  ];
}

/** The response to a get-or-create that returned no group of the ID. */
export function notCreated({ status, isRefused, isSuccess, reason, bodyIssue }: Step): Finding {
  if (status === 404 || status === 410)
    return failed(
      `Nothing was found at the address (status ${status})`,
      "Check the setting baseUrl: it is the address without /api/user.",
    );
  const said = reason === undefined ? ", and the response has no reason" : `: ${reason}`;
  if (bodyIssue !== undefined)
    return failed(
      `The response isn't that of the user group service (status ${status}): its body ${bodyIssue}`,
      "Something between here and the service may refuse a GET with a body, or demand a header or a client certificate (settings " +
        "headers, clientCertificate). Otherwise check the setting baseUrl.",
    );
  if (status === 401)
    return failed(`The API token isn't accepted (status 401)${said}`, "Check the setting apiToken.");
  if (isRefused || status === 403)
    return failed(
      `The service refused to create a group (status ${status})${said}`,
      "If its groups need a mapping, set --mapping. Otherwise ask its operator whether the API token may create groups.",
    );
  const subject = isSuccess
    ? "The response isn't that of a user group with the ID of the request"
    : "The response isn't that of the user group service";
  return failed(`${subject} (status ${status})`, "Check the setting baseUrl.");
}

function isNormalized({ sent, group }: Step): boolean {
  const isShown = !isEqual(group?.properties, undefined);
  return group?.name !== sent["name"] || (isShown && !isEqual(group?.properties, sent["properties"]));
}

function propertiesReading(created: ShownGroup, recreated: ShownGroup | undefined): Finding {
  const some = isEqual(created.properties, undefined) ? "are never returned" : "are returned";
  if (!recreated) return ok(`Properties ${some}. A group without them wasn't seen`);
  const { properties } = recreated;
  const given = properties === undefined ? "absent" : "an object";
  return ok(
    `Properties ${some}; for a group without them, the field properties is ${properties === null ? "null" : given}`,
  );
}

function tokenReadings(steps: readonly Step[]): Finding[] {
  const found = steps.flatMap(({ group, isNew }, index) =>
    group ? [{ token: group.token, isNew, index }] : [],
  );
  const findings: Finding[] = [];
  const isRenewed = found.some(({ token, isNew }, n) => isNew === false && token !== found[n - 1]?.token);
  if (isRenewed)
    findings.push(
      warning(
        "Each get-or-create returns another token, so each pulumi refresh records new tokens and warns that they changed",
        "Deliver the tokens after each refresh. Ask the service's operator whether former tokens stay valid.",
      ),
    );
  const created = found.filter(({ isNew }) => isNew).map(({ token }) => token);
  if (new Set(created).size < created.length)
    findings.push(
      warning(
        "A group that is deleted and created again gets its former token, so that keepers don't replace a leaked token",
        "Ask the service's operator how a token becomes invalid.",
      ),
    );
  return findings;
}

function deletionReadings(steps: readonly Step[]): Finding[] {
  const deletions = ways.filter((way) => isDeletion(steps, way));
  const isFalse = ways.some((way) => isDeletion(steps, way) === false);
  const isOnlySingle = deletions.length > 0 && deletions.every((way) => way.startsWith("only"));
  return [
    deletions.length === 0 ? noDeletion : deletionReading(steps, deletions),
    ...(isOnlySingle ? [notBoth] : []),
    ...(isFalse ? [falseSuccess] : []),
  ];
}

const notBoth = warning(
  "A deletion with both user_group_id and current_token had no effect, and that is what the provider sends",
  "Ask the service's operator which fields a deletion may have.",
);

const noDeletion = unknown(
  "No deletion was seen to succeed",
  "If a deletion needs data_source_provided_id, set --data-source to the ID of a data source of yours. " +
    "Otherwise ask the service's operator which fields it needs.",
);

const falseSuccess = warning(
  "The service reports success for a deletion that deletes nothing, so a group can remain unnoticed in the service",
  "Run pulumi refresh before you delete groups, so that the state has their current tokens.",
);

function deletionReading(steps: readonly Step[], deletions: readonly Way[]): Finding {
  const gone = steps.find(({ purpose }, index) => isWay(purpose) && purpose === steps[index - 1]?.purpose);
  const outcome = gone && `${gone.isSuccess ? "succeeds" : "is refused"} (status ${gone.status})`;
  return ok(
    `A deletion needs ${deletionsShown(deletions).join(", or ")}. ` +
      `The deletion of a group that is gone ${outcome ?? "wasn't tried"}`,
  );
}

/** Both fields are needed only if neither is enough. */
function deletionsShown(deletions: readonly Way[]): readonly Way[] {
  const single = deletions.filter((way) => way.startsWith("only"));
  return single.length > 0 ? single : deletions;
}

function refusalReading(steps: readonly Step[]): Finding {
  const refused = steps.filter(({ isRefused }) => isRefused);
  const statuses = [...new Set(refused.map(({ status }) => status))].sort();
  if (statuses.length === 0) return unknown("No request was refused, so the status of a refusal isn't known");
  return ok(`A refusal has status ${statuses.join(" or ")}`);
}

/** Enough requests at a time for about 30 a second. */
function settingsReading(steps: readonly Step[], existing: Existing): Finding {
  const times = steps.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  const median = Math.round(times[Math.floor(times.length / 2)] ?? 0);
  const connections = Math.min(64, Math.max(16, Math.ceil((median / 1000) * 30)));
  const deletions = ways.filter((way) => isDeletion(steps, way));
  const needsSource = deletions.length > 0 && deletions.every((way) => way.includes("data_source"));
  return ok(
    `A request takes ${median} ms. Use changes: ${isUpdating(existing) ? "update" : "replace (the default)"}, ` +
      `maxConnections: ${connections}${connections === 16 ? " (the default)" : ""}` +
      (needsSource ? ", and the argument dataSourceProvidedId" : ""),
  );
}
