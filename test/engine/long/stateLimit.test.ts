import assert from "node:assert/strict";
import { userGroups } from "../../../provider/src/provider";
import type { GroupValues } from "../../../provider/src/testing";
import { emulatorTest } from "../../harness/emulatorTest";
import { errorOf, fails, newStack, packageProgram } from "../harness";

/** A kind of `groups` that grows with one number. */
interface Shape {
  /** What each of 16 groups has: a text that long; or no properties at all, for so many groups. */
  readonly properties: "text" | "none";
  /** More than survives a partial failure: 12 MiB of protobuf, of which a group takes at least 80 bytes. */
  readonly most: number;
  readonly normalize?: (values: GroupValues) => GroupValues;
}

const shapes: Readonly<Record<string, Shape>> = {
  "very many groups without properties": { properties: "none", most: 165_000 },
  "few groups with long texts, to which the service adds": {
    properties: "text",
    most: 850_000,
    normalize: (values) => ({ ...values, properties: { plan: "free", ...values.properties } }),
  },
};

for (const [name, shape] of Object.entries(shapes))
  describe(`UserGroups of the largest size that a preview allows: ${name}`, () => {
    const { normalize } = shape;
    let size: number;
    before(async () => {
      size = await largestAllowed(shape);
    });

    emulatorTest(
      "are refused in the preview if they are larger, and are in the state when creation and update fail for one",
      { keepRequests: false, ...(normalize && { normalize }) },
      async (emulator) => {
        // The harness isn't told of the emulator: it would look for each of the many tokens in each of the large files.
        const env = { USER_GROUPS_BASE_URL: emulator.baseUrl, USER_GROUPS_API_TOKEN: emulator.apiToken };
        const stack = await newStack({ program: programOf(shape), env, patience: 800 });
        const preview = await stack.preview({ env: { SIZE: String(size + 1), FIRST: "a" } });
        fails(preview, /\d ?(bytes|[KM]i?B)\b.*\[groups-too-large\]/);
        assert.equal(emulator.groups.size, 0);
        for (const first of ["a", "b"]) {
          emulator.fault({ kind: "refuse", userGroupId: "refused" });
          const up = fails(await stack.up({ env: { SIZE: String(size), FIRST: first } }));
          assert.match(errorOf(up, "tenants"), /"refused"[^\n]*\[service-refused\]/);
          const { outputs, initErrors } = await stack.resource("tenants");
          assert(initErrors.length > 0 && emulator.groups.has(first));
          assert.deepEqual(Object.keys(outputs["groups"] ?? {}), [...emulator.groups.keys()].sort());
        }
        await stack.remove();
      },
    );
  });

/** The largest size up to `most` whose groups the provider's check lets pass. */
async function largestAllowed({ properties, most }: Shape): Promise<number> {
  let [allowed, refused] = [2, most + 1];
  while (refused - allowed > 1) {
    const middle = Math.floor((allowed + refused) / 2);
    const { failures } = await userGroups.check({}, { groups: groupsOf(properties, middle, "a") }).then(
      (checked) => ({ failures: checked.failures ?? [] }),
      () => ({ failures: ["too large"] }),
    );
    if (failures.length === 0) allowed = middle;
    else refused = middle;
  }
  return allowed;
}

/** Its text is a part of the program, too. `first` replaces the ID of the first group; it is as long. */
function groupsOf(properties: Shape["properties"], size: number, first: string): Record<string, object> {
  const isText = properties === "text";
  const values = { name: "A", ...(isText && { properties: { text: "x".repeat(size) } }) };
  const ids = Array.from({ length: isText ? 16 : size }, (_, n) => "g" + String(n).padStart(6, "0"));
  return Object.fromEntries([first, "refused", ...ids.slice(2)].map((id) => [id, values]));
}

function programOf({ properties }: Shape): Record<string, string> {
  return packageProgram(`
    const groupsOf = ${groupsOf.toString()};
    const { SIZE, FIRST } = process.env;
    new UserGroups("tenants", { groups: groupsOf("${properties}", Number(SIZE), FIRST) });
  `);
}
