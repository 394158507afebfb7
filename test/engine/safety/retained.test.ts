import assert from "node:assert/strict";
import { errorOf, fails, newFixture, requestsTo, succeeds, valuesOf } from "../harness";
import { upIn, type Outcome } from "./mappings";
import { htmlPage } from "../../harness/responseFaults";

interface OutcomeWithValues extends Outcome {
  /** What the state says of each group after it. */
  readonly values: ReadonlyMap<string, unknown>;
}

describe("a change that replaces a group", () => {
  const fixture = newFixture(() => ({ program }));
  const upWithValues = async (phase: string): Promise<OutcomeWithValues> => {
    const outcome = await upIn(fixture, phase);
    const groups = (await fixture.stack.resources()).filter(({ type }) => type.endsWith(":UserGroup"));
    return { ...outcome, values: new Map(groups.map(({ name, outputs }) => [name, valuesOf(outputs)])) };
  };
  let outcomes: Readonly<Record<"original" | "first" | "next", OutcomeWithValues>>;
  before("the change, whose first up loses a response, and the same again", async () => {
    const original = await upWithValues("original");
    succeeds(original.up);
    fixture.emulator.fault({ ...htmlPage(), method: "GET", userGroupId: "interrupted" });
    outcomes = { original, first: await upWithValues("changed"), next: await upWithValues("changed") };
  });

  for (const field of ["name", "mapping"])
    describe(`with retainOnDelete, of ${field}`, () => {
      for (const which of ["first", "next"] as const) {
        it(`fails the ${which} up, since the engine skips the deletion`, () => {
          const error = errorOf(fails(outcomes[which].up), field);
          assert.match(error, new RegExp(`"${field}"[^]*retainOnDelete[^]*\\[replacement-retained\\]`));
        });

        it(`leaves the state of the group as it was, after the ${which} up`, () => {
          assert.deepEqual(outcomes[which].values.get(field), outcomes.original.values.get(field));
        });
      }

      it("keeps the group and its token", () => {
        assert.equal(outcomes.next.tokens[field], outcomes.original.tokens[field]);
        assert(!requestsTo(fixture.emulator, field).some((line) => line.startsWith("DELETE")));
      });
    });

  describe("whose creation was applied, though its response was lost", () => {
    it("is completed by the next up", () => {
      const { first, next } = outcomes;
      assert.match(errorOf(fails(first.up), "interrupted"), /\[response-invalid\]/);
      assert.equal(errorOf(next.up, "interrupted"), "");
      const { name, mapping } = fixture.emulator.groups.get("interrupted") ?? {};
      assert.deepEqual([name, mapping], ["After", { sales: "two" }]);
      assert(!next.wrong.some((line) => line.includes("interrupted")));
    });
  });
});

const program = `
  const { UserGroup } = require("pulumi-user-groups");

  const [name, sales] = process.env.PHASE === "original" ? ["Before", "one"] : ["After", "two"];
  const declare = (userGroupId, args, opts) =>
    new UserGroup(userGroupId, { userGroupId, name: "Before", mapping: { sales: "one" }, ...args }, opts);
  declare("name", { name }, { retainOnDelete: true });
  declare("mapping", { mapping: { sales } }, { retainOnDelete: true });
  declare("interrupted", { name, mapping: { sales } });
`;
