import assert from "node:assert/strict";
import { userGroups } from "../../../provider/src/provider";
import { startEmulator, type Emulator, type GroupValues } from "../../../provider/src/testing";
import { errorOf, fails, newStack, type Result, type Stack } from "../harness";

/** A kind of `groups` that grows with one number. */
interface Shape {
  /** What each group has: a text that long, or no properties at all; then there are so many groups. */
  readonly properties: "text" | "none";
  /** More than survives a partial failure: 12 MiB of protobuf, of which a group takes at least 80 bytes. */
  readonly most: number;
  readonly normalize?: (values: GroupValues) => GroupValues;
}

const shapes: Readonly<Record<string, Shape>> = {
  "few groups with long texts": { properties: "text", most: 850_000 },
  "very many groups without properties": { properties: "none", most: 165_000 },
  "few groups with long texts, to which the service adds": {
    properties: "text",
    most: 850_000,
    normalize: (values) => ({ ...values, properties: { plan: "free", ...values.properties } }),
  },
};

for (const [name, shape] of Object.entries(shapes)) {
  describe(`UserGroups of the largest size that a preview allows: ${name}`, () => {
    let emulator: Emulator;
    let stack: Stack;
    let size: number;
    before(async () => {
      const { normalize } = shape;
      size = await largestAllowed(shape);
      emulator = await startEmulator({ keepRequests: false, ...(normalize && { normalize }) });
      // The harness isn't told of the emulator: it would look for each of the many tokens in each of the large files.
      const env = { USER_GROUPS_BASE_URL: emulator.baseUrl, USER_GROUPS_API_TOKEN: emulator.apiToken };
      stack = await newStack({ program: programOf(shape), env, patience: 800 });
    });
    after(async () => {
      await stack.remove();
      await emulator.stop();
    });
    const failToBringUp = async (first: string): Promise<Result> => {
      emulator.fault({ kind: "refuse", userGroupId: "refused" });
      return fails(await stack.up({ env: { SIZE: String(size), FIRST: first } }));
    };
    const areRecorded = async () => {
      const { outputs, initErrors } = await stack.resource("tenants");
      assert(initErrors.length > 0);
      assert.deepEqual(Object.keys(outputs["groups"] ?? {}), [...emulator.groups.keys()].sort());
    };

    it("are as large as possible: one more is refused in the preview, which names the limit", async () => {
      const preview = fails(await stack.preview({ env: { SIZE: String(size + 1), FIRST: "a" } }));
      assert.match(preview.output, /\d ?(bytes|[KM]i?B)\b.*\[groups-too-large\]/);
      assert.equal(emulator.groups.size, 0);
    });

    it("are in the state when their creation fails for one group", async () => {
      assert.match(errorOf(await failToBringUp("a"), "tenants"), /"refused"[^\n]*\[service-refused\]/);
      assert(emulator.groups.has("a") && !emulator.groups.has("refused"));
      await areRecorded();
    });

    it("are in the state when their update fails for one group", async () => {
      assert.match(errorOf(await failToBringUp("b"), "tenants"), /"refused"[^\n]*\[service-refused\]/);
      assert(emulator.groups.has("b") && !emulator.groups.has("a"));
      await areRecorded();
    });
  });
}

/** The largest size up to `most` whose groups the provider's check lets pass. */
async function largestAllowed({ properties, most }: Shape): Promise<number> {
  const isAllowed = async (size: number) => {
    const check = userGroups.check({}, { groups: groupsOf(properties, size, "a") });
    const { failures = [] } = await check.catch(() => ({ failures: [{}] }));
    return failures.length === 0;
  };
  assert(await isAllowed(2));
  let [allowed, refused] = [2, most + 1];
  while (refused - allowed > 1) {
    const middle = Math.floor((allowed + refused) / 2);
    if (await isAllowed(middle)) allowed = middle;
    else refused = middle;
  }
  return allowed;
}

/** Its text is a part of the program, too. `first` replaces the ID of the first group; it is as long. */
function groupsOf(properties: Shape["properties"], size: number, first: string): Record<string, object> {
  const values = {
    text: { text: "x".repeat(size) },
    none: undefined,
  };
  const count = properties === "none" ? size : 16;
  const ids = Array.from({ length: count }, (_, index) => "g" + String(index).padStart(6, "0"));
  const all = [first, "refused", ...ids.slice(2)];
  return Object.fromEntries(all.map((id) => [id, { name: "A", properties: values[properties] }]));
}

function programOf({ properties }: Shape): string {
  return `
    const { UserGroups } = require("pulumi-user-groups");
    const groupsOf = ${groupsOf.toString()};
    const { SIZE, FIRST } = process.env;
    new UserGroups("tenants", { groups: groupsOf("${properties}", Number(SIZE), FIRST) });
  `;
}
