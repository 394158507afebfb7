import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { userGroup, userGroups } from "../../provider/src/provider";
import { findRunBy, Run } from "../../provider/src/provider/claims";
import { withNotices, type Notice } from "../../provider/src/provider/notices";
import { inWorld } from "../unit/world";
import { pageAt, repository, snippetsOf } from "./pages";

const file = "docs/troubleshooting.md";
const acme = { userGroupId: "acme", name: "Acme" };
const groups = { acme: { name: "Acme" } };
const others = { groups: { globex: { name: "Globex" } } };

/** Each sentence of the notices; the type asks for all of them. */
const notices = Object.keys({
  adopted: true,
  "adopted with other values": true,
  "created with other values": true,
  "perhaps created": true,
  "created again": true,
  "mapping not confirmed": true,
  kept: true,
} satisfies Record<Notice, true>);

describe(`the warnings of ${file}`, () => {
  it(
    "are those that the package gives, each with its sample",
    inWorld({}, async ({ warnings }) => {
      await userGroup.diff("acme", acme, { ...acme, name: "Acme Corporation" });
      await moveTooLate();
      for (const notice of notices.filter(isNotice))
        await withNotices((notify) => {
          notify(notice, acme);
          return Promise.resolve();
        });
      const given = new Set(warnings.map((line) => line.trimEnd()));
      const samples = snippetsOf(file, "text").map((sample) => sample.replaceAll("\n", " "));
      assert.deepEqual(samples.filter((sample) => sample.startsWith("warning: ")).sort(), [...given].sort());
    }),
  );
});

describe(`the reasons of ${file}`, () => {
  it("are those that a wrong argument is refused for", () => {
    const schema = readFileSync(join(repository, "provider/src/schema.ts"), "utf8");
    const reasons = [...schema.matchAll(/"(must [^"]+)"|'(must [^']+)'|"(is (?:required|not an .*))"/g)];
    const listed = pageAt(file).tables[0]?.map(([reason = ""]) => reason) ?? [];
    assert.deepEqual(
      listed.sort(),
      [...new Set(reasons.flatMap((found) => found.slice(1).filter(Boolean)))].filter(isOfArgument).sort(),
    );
  });
});

function isNotice(word: string): word is Notice {
  return notices.includes(word);
}

/** This one is of answers alone. */
function isOfArgument(reason: string): boolean {
  return reason !== "must be 1, or 0 for a refusal";
}

/** An update deletes what another resource declares after it. */
async function moveTooLate(): Promise<void> {
  const run = new Run();
  findRunBy(() => run);
  try {
    await userGroups.check({ groups }, others);
    await userGroups.diff("user-groups", { groups }, others);
    await userGroup.check({}, acme);
  } finally {
    findRunBy(() => undefined);
  }
}
