/** The page of docs/reference about warnings. Codes and sentences are the product's own; what to do is said here. */
import { warningOf, warnings, type Warning } from "../../provider/src/core/messages";
import { table } from "./markdown";

interface Advice {
  readonly meaning: string;
  readonly action: string;
}

/** The type requires each code. */
const advice: Readonly<Record<Warning, Advice>> = {
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
  "former-group-left": {
    meaning:
      "Somebody else created a group with the ID of a former group (`overlap`), whose token was no longer used.",
    action: "None, if that group is somebody's. Otherwise delete it in the service.",
  },
  kept: {
    meaning: "A resource left the state, and another resource of the program has its group.",
    action: "Nothing.",
  },
  "kept-with-unknown-mapping": {
    meaning: "The same, and the two states differ in mapping or keepers.",
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
    meaning: "Somebody else created the group again, or an interrupted update did.",
    action:
      "[Deliver the new token](../deliver-tokens.md). After an interrupted update, finish the update before you take its change " +
      "back ([interruptions](../runbooks.md#interruptions)).",
  },
};

export function warningsPage(): string {
  const codes = Object.keys(warnings).filter((code): code is Warning => code in advice);
  return [
    "# Warnings",
    "A warning doesn't stop the run. It names the group first, and ends with its code. One line may concern many groups, of which it names " +
      "the first five.",
    table(
      ["code", "meaning", "action"],
      codes.map((code) => [`[\`${code}\`](#${code})`, advice[code].meaning, advice[code].action]),
    ),
    "Warnings without a code stand in previews: of each customer who gets a new token ([changes and tokens](../changes.md)), of the numbers " +
      "of groups that a `UserGroups` creates, deletes and changes ([pull requests](../pull-requests.md#what-a-preview-shows)), and of a " +
      "move that comes too late ([move groups](../existing-groups.md#move-groups)). They say what to do.",
    ...codes.flatMap((code) => [
      `## \`${code}\``,
      `\`\`\`text\nwarning: ${warningOf(code, [{ userGroupId: "acme" }])}\n\`\`\``,
      `${advice[code].meaning} **Action:** ${advice[code].action}`,
    ]),
  ].join("\n\n");
}
