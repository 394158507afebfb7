/** The largest `groups` that a preview allows, on the real engine. */
import assert from "node:assert/strict";
import { userGroups } from "../../provider/src/provider";
import type { EmulatorOptions } from "../../provider/src/testing";
import { fails, packageProgram, withFixture } from "../engine/harness";

/** `groups` that grow with `size`: 16 groups with a text that long, or so many groups. `most` doesn't survive a partial failure. */
interface Shape extends EmulatorOptions {
  readonly isText: boolean;
  readonly most: number;
}

const shapes: Readonly<Record<string, Shape>> = {
  "very many groups without properties": { isText: false, most: 165_000 },
  "few groups with long texts, to which the service adds": {
    isText: true,
    most: 850_000,
    normalize: (values) => ({ ...values, properties: { plan: "free", ...values.properties } }),
  },
};

describe("UserGroups of the largest size that a preview allows", () => {
  for (const [name, { isText, most, ...service }] of Object.entries(shapes))
    it(`are in the state when creation and update fail for one, and larger ones are refused: ${name}`, () =>
      withFixture(
        ({ baseUrl, apiToken }) => {
          const env = {
            USER_GROUPS_BASE_URL: baseUrl,
            USER_GROUPS_API_TOKEN: apiToken,
            IS_TEXT: String(isText),
          };
          // The harness isn't told of the emulator: it would look for each of the many tokens in each of the large files.
          return { program, env, emulator: undefined, patience: 800 };
        },
        { ...service, keepRequests: false },
        async ({ emulator, stack }) => {
          const size = await largestAllowed(isText, most);
          const preview = await stack.preview({ env: { SIZE: String(size + 1), FIRST: "a" } });
          fails(preview, /\d ?(bytes|[KM]i?B)\b.*\[groups-too-large\]/);
          assert.equal(emulator.groups.size, 0);
          for (const first of ["a", "b"]) {
            emulator.fault({ kind: "refuse", userGroupId: "refused" });
            const up = await stack.up({ env: { SIZE: String(size), FIRST: first } });
            fails(up, /"refused"[^\n]*\[service-refused\]/);
            const { outputs, initErrors } = await stack.resource("tenants");
            assert(initErrors.length > 0 && emulator.groups.has(first));
            assert.deepEqual(Object.keys(outputs["groups"] ?? {}), [...emulator.groups.keys()].sort());
          }
        },
      ));
});

/** The largest size up to `most` whose groups the provider's check lets pass. */
async function largestAllowed(isText: boolean, most: number): Promise<number> {
  let allowed = 2;
  let refused = most + 1;
  while (refused - allowed > 1) {
    const middle = Math.floor((allowed + refused) / 2);
    const { failures = [] } = await userGroups.check({}, { groups: groupsOf(isText, middle, "a") });
    if (failures.length === 0) allowed = middle;
    else refused = middle;
  }
  return allowed;
}

/** Its text is a part of the program, too. `first` replaces the ID of the first group; it is as long. */
function groupsOf(isText: boolean, size: number, first: string): Record<string, object> {
  const values = { name: "A", ...(isText && { properties: { text: "x".repeat(size) } }) };
  const ids = Array.from({ length: isText ? 16 : size }, (_, n) => "g" + String(n).padStart(6, "0"));
  return Object.fromEntries([first, "refused", ...ids.slice(2)].map((id) => [id, values]));
}

const program = packageProgram(`
  const groupsOf = ${groupsOf.toString()};
  const { IS_TEXT, SIZE, FIRST } = process.env;
  new UserGroups("tenants", { groups: groupsOf(IS_TEXT === "true", Number(SIZE), FIRST) });
`);
