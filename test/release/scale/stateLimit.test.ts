/** The largest `groups` that a preview allows are in the state on the real engine, also when creation and update fail for one. */
import assert from "node:assert/strict";
import type { EmulatorOptions } from "../../../provider/testing";
import { fails, packageProgram, withFixture } from "../../support/engine";

/** The bytes of the text of each of 16 groups. */
const largest = 524_070;

const service: EmulatorOptions = {
  keepRequests: false,
  normalize: (values) => ({ ...values, properties: { plan: "free", ...values.properties } }),
};

describe("UserGroups of the largest size that a preview allows", () => {
  it("are in the state when creation and update fail for one, and larger ones are refused", () =>
    withFixture(
      ({ baseUrl, apiToken }) => ({
        program: packageProgram(`
          const ids = Array.from({ length: 16 }, (_, n) => "g" + String(n).padStart(6, "0"));
          const values = { name: "A", properties: { text: "x".repeat(Number(process.env.SIZE)) } };
          const groups = [process.env.FIRST, "refused", ...ids.slice(2)].map((id) => [id, values]);
          new UserGroups("tenants", { groups: Object.fromEntries(groups) });
        `),
        env: { USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_API_TOKEN: apiToken },
        // The harness would look for each of the many tokens in each of the large files.
        emulator: undefined,
        patience: 800,
      }),
      service,
      async ({ emulator, stack }) => {
        const preview = await stack.preview({ env: { SIZE: String(largest + 1), FIRST: "a" } });
        fails(preview, /\d ?(bytes|[KM]i?B)\b.*\[groups-too-large\]/);
        assert.equal(emulator.groups.size, 0);
        for (const first of ["a", "b"]) {
          emulator.fault({ kind: "refuse", userGroupId: "refused" });
          const up = await stack.up({ env: { SIZE: String(largest), FIRST: first } });
          fails(up, /"refused"[^\n]*\[service-refused\]/);
          const { outputs, initErrors } = await stack.resource("tenants");
          assert(initErrors.length > 0 && emulator.groups.has(first));
          assert.deepEqual(Object.keys(outputs["groups"] ?? {}), [...emulator.groups.keys()].sort());
        }
      },
    ));
});
