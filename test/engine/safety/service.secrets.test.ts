import assert from "node:assert/strict";
import { fails, isSecret, newFixture, stepsOf, succeeds, tokensOf } from "../harness";

/** Resources by what the program's transformation does to the options of each. */
const resources = ["one-emptied", "one-replaced", "many-emptied", "many-replaced"];

/**
 * One stack for each kind of transformation, through its life: each step begins where the one before it ended. The
 * harness looks for the tokens in all that the engine prints and writes.
 */
for (const { by, setUp, options } of [
  {
    by: "a stack transformation",
    setUp: "pulumi.runtime.registerStackTransformation(transform);",
    options: "{}",
  },
  { by: "the resource option transforms", setUp: "", options: "{ transforms: [transform] }" },
]) {
  describe(`tokens, where ${by} takes away their secrecy`, () => {
    const programWith = (dataSourceProvidedId: string) => programOf(setUp, options, dataSourceProvidedId);
    const fixture = newFixture(() => ({ program: programWith("first") }));
    const areEncrypted = async () => {
      for (const name of resources) {
        const { outputs } = await fixture.stack.resource(name);
        assert(isSecret(outputs[name.startsWith("one") ? "token" : "tokens"]), name);
      }
    };

    it("are encrypted after a creation of which groups are refused", async () => {
      for (const userGroupId of ["emptied-refused", "replaced-refused"])
        fixture.emulator.fault({ kind: "refuse", userGroupId });
      fails(await fixture.stack.up({ flags: ["--continue-on-error"] }));
      await areEncrypted();
    });

    it("are encrypted after the update that completes it", async () => {
      succeeds(await fixture.stack.up());
      await areEncrypted();
    });

    it("are encrypted after a refresh that finds other tokens", async () => {
      for (const userGroupId of fixture.emulator.groups.keys()) fixture.emulator.rotateToken(userGroupId);
      succeeds(await fixture.stack.refresh());
      await areEncrypted();
    });

    it("show no difference in a preview", async () => {
      const preview = succeeds(await fixture.stack.preview({ flags: ["--diff"] }));
      for (const name of resources) assert.deepEqual(stepsOf(preview, name), ["same"], name);
    });

    it("are encrypted after an update of the state alone", async () => {
      await fixture.stack.program(programWith("second"));
      const up = succeeds(await fixture.stack.up());
      for (const name of resources) assert.deepEqual(stepsOf(up, name), ["update"], name);
      await areEncrypted();
    });

    it("reach the program", async () => {
      assert.deepEqual((await fixture.stack.plainOutputs())["tokens"], tokensOf(fixture.emulator));
    });

    it("reach the service when the groups are deleted", async () => {
      succeeds(await fixture.stack.destroy());
      assert.equal(fixture.emulator.groups.size, 0);
    });
  });
}

function programOf(setUp: string, options: string, dataSourceProvidedId: string): string {
  return `
    const pulumi = require("@pulumi/pulumi");
    const { UserGroup, UserGroups } = require("pulumi-user-groups");
    const transform = ({ name, props, opts }) => {
      if (name.endsWith("emptied")) return { props, opts: { ...opts, additionalSecretOutputs: [] } };
      if (name.endsWith("replaced")) return { props, opts: {} };
    };
    ${setUp}
    const values = { name: "Tenant", dataSourceProvidedId: "${dataSourceProvidedId}" };
    const tokens = ["emptied", "replaced"].map((kind) => {
      const one = new UserGroup("one-" + kind, { userGroupId: kind, ...values }, ${options});
      const groups = { [kind + "-first"]: values, [kind + "-refused"]: values };
      const many = new UserGroups("many-" + kind, { groups }, ${options});
      return pulumi.all([one.token, many.tokens]).apply(([token, others]) => ({ [kind]: token, ...others }));
    });
    exports.tokens = pulumi.all(tokens).apply((all) => Object.assign({}, ...all));
  `;
}
