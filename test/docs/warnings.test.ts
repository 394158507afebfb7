/** The warnings' samples on the page of messages, and that the page has a section for each code, and for no other. */
import assert from "node:assert/strict";
import { errorCodes } from "../../provider/src/errors";
import * as texts from "../../provider/src/core/messages/warnings";
import { messagesPage, samplesOf } from "./messagesPage";
import { pageAt } from "./pages";

const acme = { userGroupId: "acme" };
const change = { changed: ["name"], unknown: [], former: undefined, waiting: [] };

/** The type requires each code. */
const previews: Readonly<Record<texts.PreviewWarning, readonly texts.WarningLine[]>> = {
  "created-unchecked": [texts.createdUnchecked([acme])],
  "exponent-in-id": [texts.exponentInId([{ userGroupId: "cust-1.1e+11" }])],
  "former-group-deleted": [texts.formerGroupDeleted(acme, 1)],
  "former-token": [texts.formerToken(acme, texts.formerGroupText(0))],
  "groups-not-known": [texts.groupsNotKnown()],
  "ignored-changes-applied": [texts.ignoredChangesApplied(acme, ["mapping"])],
  "new-token": [texts.newToken(acme, { ...change, former: texts.formerGroupText(24) })],
  "planned-changes": [texts.plannedChanges(['2 to create ("beta", "gamma")', '1 to delete ("acme")'])],
  "possible-new-token": [texts.newToken(acme, { ...change, unknown: ["name"] })],
  "to-be-settled": [texts.toBeSettled(acme)],
};

/** Of several texts with one code, the page shows that whose name is the code. */
const isCode = (name: string): name is texts.Warning =>
  name in texts.warnings && !/^adopted-(by|after)/.test(name);
const lines = [
  ...Object.keys(texts.warnings)
    .filter(isCode)
    .map((name) => texts.warningOf(name, [acme], ["name"])),
  ...Object.values(previews).flat(),
];
const codes = [...new Set(lines.map(codeOf))];

describe("the page of messages", () => {
  for (const code of codes)
    it(`shows the warning ${code}`, () => {
      assert.deepEqual(
        samplesOf(code),
        lines.filter((line) => codeOf(line) === code),
      );
    });

  it("has a section and a row of a table for each code, in their order", () => {
    const all = [...errorCodes, ...codes.sort()];
    const { tables, headings } = pageAt(messagesPage);
    assert.deepEqual(
      headings.filter((heading) => /^[a-z]+(-[a-z]+)*$/.test(heading)),
      all,
    );
    const rows = tables.flat().map(([cell = ""]) => /^\[`([a-z-]+)`\]\(#\1\)$/.exec(cell)?.[1]);
    assert.deepEqual(
      rows.filter((code) => code !== undefined),
      all,
    );
  });
});

function codeOf(line: string): string {
  return /\[([a-z-]+)\]$/.exec(line)?.[1] ?? line;
}
