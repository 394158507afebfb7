import assert from "node:assert/strict";
import { errorOf, fails, newFixture, requestsTo, type Result } from "./harness";

describe("a wrong argument", () => {
  const fixture = newFixture(() => ({ program: "", secrets: ["hidden"] }));
  const previewOf = async (program: string): Promise<Result> => {
    await fixture.stack.program(imports + program);
    return fails(await fixture.stack.preview());
  };

  for (const { kind, program, reported } of [
    {
      kind: "of another type",
      program: `new UserGroup("bad", {
        name: 7, mapping: { a: { deep: "hidden" }, b: true }, properties: ["hidden"],
        dataSourceProvidedId: {}, adopt: "hidden", connection: ["hidden"],
      });`,
      reported: [
        /userGroupId.* is required/,
        /name must be a string/,
        /mapping\.a .*must be a string or a number/,
        /mapping\.b .*must be a string or a number/,
        /properties must be an object/,
        /dataSourceProvidedId must be a string/,
        /adopt must be true or false/,
        /connection must/,
      ],
    },
    {
      kind: "that is empty, malformed or unknown",
      program: `new UserGroup("bad", {
        userGroupId: "", name: "", mapping: "hidden", dataSourceProvidedId: "", connection: "hidden here",
        properties: { licence: new pulumi.asset.StringAsset("hidden") }, nmae: "hidden",
      });`,
      reported: [
        /userGroupId must not be empty/,
        /name must not be empty/,
        /mapping must be an object/,
        /properties\.licence .*must be JSON/,
        /dataSourceProvidedId must not be empty/,
        /connection must consist of lower-case letters/,
        /nmae is not an argument/,
      ],
    },
    {
      kind: "that is a secret",
      program: `new UserGroup("bad", {
        userGroupId: pulumi.secret(["hidden"]), name: pulumi.secret({ text: "hidden" }),
        mapping: pulumi.secret({ a: ["hidden"] }), properties: { licence: "fine" },
        adopt: pulumi.secret("hidden"), nmae: pulumi.secret("hidden"),
      });`,
      reported: [
        /userGroupId must be a string/,
        /name must be a string/,
        /mapping\.a .*must be a string or a number/,
        /adopt must be true or false/,
        /nmae is not an argument/,
      ],
    },
  ]) {
    it(`${kind} is reported in the preview against its property, without its value`, async () => {
      const preview = await previewOf(program);
      const errors = errorOf(preview, "bad").split("\n").filter(Boolean);
      assert.equal(errors.length, reported.length);
      for (const pattern of reported)
        assert(
          errors.some((error) => pattern.test(error)),
          `${pattern.source} isn't among:\n${errors.join("\n")}`,
        );
      assert.deepEqual(requestsTo(fixture.emulator), []);
    });
  }

  for (const [what, program, path] of [
    [
      "a Date",
      `new UserGroup("bad", { userGroupId: "bad", name: "Bad", properties: { since: new Date(0) } });`,
      /properties\.since\b/,
    ],
    [
      "a Map in UserGroups",
      `new UserGroups("bad", { groups: { acme: { name: "Bad", properties: { plans: [new Map()] } } } });`,
      /groups\.acme\.properties\.plans(\.0|\[0\])/,
    ],
  ] as const)
    it(`that is no JSON fails the program, which names its path: ${what}`, async () => {
      const { output } = await previewOf(program);
      assert.match(output, /\[argument-invalid\]/);
      assert.match(output, path);
    });

  it("that is known only in up is reported then, and nothing is recorded", async () => {
    await fixture.stack.program(`${imports}
      const first = new UserGroup("first", { userGroupId: "first", name: "First" });
      new UserGroup("bad", { userGroupId: "bad", name: first.adopted.apply(() => ["hidden"]) });
    `);
    const up = fails(await fixture.stack.up());
    assert.match(errorOf(up, "bad"), /name must be a string/);
    assert.deepEqual(requestsTo(fixture.emulator), ['GET "first" created 200']);
    assert.equal((await fixture.stack.resource("first")).outputs["name"], "First");
    assert(!(await fixture.stack.resources()).some(({ name }) => name === "bad"));
  });
});

const imports = `
  const pulumi = require("@pulumi/pulumi");
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
`;
