import assert from "node:assert/strict";
import type { Logger } from "../../provider/src/core/lifecycle";
import { withWarnings, type Warning } from "../../provider/src/core/group/warnings";
import type { DynamicProviders } from "../../provider/src/dynamic/dynamicProviders";
import { emulatorTest } from "../harness/emulatorTest";
import { contextOf, providersOf } from "../harness/providers";
import { pageAt } from "./pages";

const file = "docs/warnings.md";
const acme = { userGroupId: "acme", name: "Acme" };
const groups = { acme: { name: "Acme" } };
const state = { groups, tokens: { acme: "t0ken" } };
const others = { groups: { globex: { name: "Globex" } } };

/** Each kind of warning. The type requires all of them. */
const kinds: Readonly<{ [Kind in Warning]: Kind }> = {
  adopted: "adopted",
  "adopted with other values": "adopted with other values",
  "stored with other values": "stored with other values",
  "possibly created": "possibly created",
  "created again": "created again",
  recreated: "recreated",
  "recreated after a lookup": "recreated after a lookup",
  "token changed": "token changed",
  "mapping not verified": "mapping not verified",
  kept: "kept",
  "kept for lookups": "kept for lookups",
  "kept with an unknown mapping": "kept with an unknown mapping",
  "not released": "not released",
};

/** The warnings of previews, each in a deployment of its own. */
const planned: Readonly<Record<string, (context: DynamicProviders) => Promise<unknown>>> = {
  async replacement({ userGroup }) {
    const wanted = { ...acme, name: "Acme Corporation" };
    await userGroup.check(acme, wanted);
    await userGroup.diff("acme", { ...acme, token: "t0ken" }, wanted);
  },
  async "groups of a UserGroups"({ userGroups }) {
    await userGroups.check({ groups }, others);
    await userGroups.diff("user-groups", state, others);
  },
  async "move that comes too late"({ userGroup, userGroups }) {
    await userGroups.check({ groups }, others);
    await userGroups.diff("user-groups", state, others);
    await userGroup.check({}, acme);
  },
  async "move with other values"({ userGroup, userGroups }) {
    await userGroup.check({}, { ...acme, name: "Acme Corporation" });
    await userGroups.diff("user-groups", state, { groups: {}, removed: "retain" });
  },
};

describe(file, () => {
  emulatorTest("has a sample of each warning, and no other", {}, async (emulator) => {
    const shown = await Promise.all(
      Object.values(planned).map(async (preview) => {
        const context = contextOf(emulator);
        await preview(providersOf(context));
        return context.lines;
      }),
    );
    const lines = [...shown.flat(), ...(await Promise.all(Object.values(kinds).map(lineOf)))];
    const samples = pageAt(file).tables.flatMap((rows) => rows.map(([sample]) => `warning: ${sample}`));
    const warnings = lines.filter((line) => line.startsWith("warning: "));
    assert.deepEqual(samples.sort(), [...new Set(warnings)].sort());
  });
});

async function lineOf(kind: Warning): Promise<string> {
  const lines: string[] = [];
  const logger: Logger = { info: (line) => lines.push(line), warn: (line) => lines.push(`warning: ${line}`) };
  await withWarnings(logger, (warn) => {
    warn(kind, acme);
    return Promise.resolve();
  });
  return lines.join("\n");
}
