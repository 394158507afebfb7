/** The tables and sections of docs/reference/warnings.md. Codes and sentences are the product's own; what to do is said here. */
import { warningOf, warnings as known, type Warning } from "../../provider/src/core/messages";
import * as previews from "../../provider/src/core/previewWarnings";
import { table } from "./markdown";

interface Advice {
  readonly meaning: string;
  readonly action: string;
}

/** The type requires each code. */
const advice: Readonly<Record<Warning | previews.PreviewWarning, Advice>> = {
  adopted: {
    meaning: "The service already had the group.",
    action:
      "If you expected that, check its mapping in the service. Otherwise find out whether another stack declares it " +
      "([adopt](../existing-groups.md#adopt)).",
  },
  "adopted-with-other-values": {
    meaning: "An adopted group differs from the program.",
    action:
      "Write the service's values into the program. Or apply the next preview, which gives the group a new token.",
  },
  "claim-taken-over": {
    meaning: "An import couldn't know the mapping or the keepers, so the state now has the program's.",
    action: "Check the mapping in the service, or change `keepers`.",
  },
  "created-again": {
    meaning: "Somebody deleted the group, or a lookup names a group that doesn't exist.",
    action:
      "[Deliver the new token](../deliver-tokens.md). After a preview with `--refresh`, run `pulumi refresh`, which stores the token.",
  },
  kept: {
    meaning: "A resource left the state, and another resource of the program has its group.",
    action: "Nothing.",
  },
  "kept-with-unknown-mapping": {
    meaning:
      "A resource left the state, another one of the program has its group, and the two states differ in mapping or keepers.",
    action:
      "Check the mapping in the service: it may be that of the resource which left. Or change `keepers`.",
  },
  "mapping-not-verified": {
    meaning:
      "With `changes: update`, the response is the same whether the service applied the new mapping or ignored it.",
    action:
      "Check the service, or change `keepers`, which gives the group the program's mapping and a new token.",
  },
  "not-released": {
    meaning: "The group moves to another resource, which failed or runs later (`--parallel 1`).",
    action: "Correct the error if there is one, and run `pulumi up` again.",
  },
  "overlap-id-taken": {
    meaning: "The service has a group with an ID that a change with `overlap` wanted to use.",
    action:
      "Usually a killed run left it. Declare it with the same ID, run `pulumi up`, and remove it again, which deletes it.",
  },
  "possibly-created": {
    meaning: "A repeated request found the group: this `up` created it, or somebody else.",
    action: "If it may have existed before, check its mapping in the service.",
  },
  "possibly-retained": {
    meaning:
      "The group was to be deleted and created again, but it exists with another token. An interrupted update created it; or " +
      "`retainOnDelete` skipped its deletion, and the service returns another token each time.",
    action:
      "With `retainOnDelete`, change `keepers` after removing the option. Otherwise nothing, if the update was interrupted.",
  },
  "recreated-after-lookup": {
    meaning: "A lookup created the group before the resource that declares it.",
    action: "Run `pulumi up` again. Better use the token of the declared resource instead of a lookup.",
  },
  settled: {
    meaning: "An earlier request may have been applied, so the group was requested again.",
    action: "Nothing. If the mapping may be wrong, change `keepers`.",
  },
  "stored-with-other-values": {
    meaning: "The service trims names, or adds or keeps properties, for example.",
    action: "Nothing. A later change in the service is still detected ([drift](../runbooks.md#drift)).",
  },
  "token-changed": {
    meaning:
      "Somebody else created the group again, or an interrupted update did, or the preview of this refresh (`created-again`).",
    action:
      "[Deliver the new token](../deliver-tokens.md). After an interrupted update, finish the update before you take its change " +
      "back ([interruptions](../runbooks.md#interruptions)).",
  },
  "former-group-deleted": {
    meaning: "The last change kept a former group (`overlap`), and this one deletes it.",
    action:
      "Deliver the new token before you apply the change ([changes without blank dashboards](../changes.md#without-blank-dashboards)).",
  },
  "groups-not-known": {
    meaning: "`groups` depends on a value that only the update knows.",
    action: "Nothing. Set `deletionLimit` to bound the update.",
  },
  "ignored-changes-applied": {
    meaning: "The plugin replaces the group, and a new group has the program's values.",
    action: "Remove the fields from `ignoreChanges`, or give the program the values of the state.",
  },
  "new-token": {
    meaning: "The change gives the customer a new token.",
    action: "Plan its [delivery](../deliver-tokens.md), or take the change back.",
  },
  "planned-changes": {
    meaning:
      "The planned changes of a `UserGroups`, if one of them deletes a group or gives it a new token. Without one, the line is no " +
      "warning and has no code.",
    action:
      "Compare the groups with what you intend ([pull requests](../pull-requests.md#what-a-preview-shows)).",
  },
  "possible-new-token": {
    meaning: "A field of the group depends on a value that only the update knows.",
    action: "As for `new-token`. The update keeps the token if the value is the same.",
  },
  "removed-elsewhere": {
    meaning: "The group moves out of a `UserGroups`, which may delete it before this resource is declared.",
    action:
      "Let the `UserGroups` depend on this resource ([a move in one `up`](../scale.md#move-some-of-them)).",
  },
  "replaced-by-option": {
    meaning: "`--replace`, `taint` or `replacementTrigger` replaces the resource.",
    action: "Without `deleteBeforeReplace`, nothing.",
  },
  retained: {
    meaning: 'A `UserGroups` with `removed: "retain"` left the program.',
    action: "Delete the groups in the service, or declare them again, if they are still wanted.",
  },
  "to-be-settled": {
    meaning: "A request of an earlier update may have been applied, so `up` sends it again.",
    action: "Nothing. After the update, see `settled`.",
  },
};

const acme = { userGroupId: "acme" };

const previewSamples: Readonly<Record<previews.PreviewWarning, previews.WarningLine>> = {
  "former-group-deleted": previews.formerGroupDeleted(acme),
  "groups-not-known": previews.groupsNotKnown(),
  "ignored-changes-applied": previews.ignoredChangesApplied(acme, ["mapping"]),
  "new-token": previews.newToken(acme, { changed: ["name"], unknown: [], isOverlap: false }),
  "planned-changes": previews.plannedChanges(['2 to create ("beta", "gamma")', '1 to delete ("acme")']),
  "possible-new-token": previews.newToken(acme, { changed: ["name"], unknown: ["name"], isOverlap: false }),
  "removed-elsewhere": previews.removedElsewhere([acme]),
  "replaced-by-option": previews.replacedByOption(acme, 0),
  retained: previews.retained([acme, { userGroupId: "beta" }]),
  "to-be-settled": previews.toBeSettled(acme),
};

export function warnings(): string {
  const codes = Object.keys(known).filter((code): code is Warning => code in advice);
  return [
    "Warnings of requests:",
    tableOf(codes),
    "Warnings of previews and options:",
    tableOf(previews.previewWarnings),
    ...codes.flatMap((code) => section(code, warningOf(code, [acme]))),
    ...previews.previewWarnings.flatMap((code) => section(code, previewSamples[code])),
  ].join("\n\n");
}

function tableOf(codes: readonly (keyof typeof advice)[]): string {
  const rows = codes.map((code) => [`[\`${code}\`](#${code})`, advice[code].meaning, advice[code].action]);
  return table(["code", "meaning", "action"], rows);
}

function section(code: keyof typeof advice, sample: previews.WarningLine): string[] {
  const { meaning, action } = advice[code];
  return [`## \`${code}\``, `\`\`\`text\nwarning: ${sample}\n\`\`\``, `${meaning}\\\n**Action:** ${action}`];
}
