import assert from "node:assert/strict";
import { warningOf, warnings, type Warning } from "../../provider/src/core/messages";
import type { DynamicProviders } from "../../provider/src/dynamic/dynamicProviders";
import { emulatorTest } from "../harness/emulatorTest";
import { contextOf, providersOf } from "../harness/providers";
import { pageAt } from "./pages";

const file = "docs/warnings.md";
const acme = { userGroupId: "acme", name: "Acme" };
const groups = { acme: { name: "Acme" } };
const state = { groups, tokens: { acme: "t0ken" } };
const others = { groups: { globex: { name: "Globex" } } };

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
    const codes = Object.keys(warnings) as Warning[];
    const ofGroups = codes.map((code) => `warning: ${warningOf(code, [{ userGroupId: "acme" }])}`);
    const samples = pageAt(file).tables.flatMap((rows) => rows.map(([sample]) => `warning: ${sample}`));
    const previewed = shown.flat().filter((line) => line.startsWith("warning: "));
    assert.deepEqual(samples.sort(), [...new Set([...previewed, ...ofGroups])].sort());
  });
});
