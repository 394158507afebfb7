import assert from "node:assert/strict";
import { z } from "zod";
import {
  errorOf,
  fails,
  isSecret,
  newFixture,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  warningsOf,
  type Result,
} from "./harness";

/** One resource through its life: each step begins where the one before it ended. */
describe("UserGroups", () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "adopted", name: "Tenant" });
    return { program: programOf(first), secrets: ["hidden value"] };
  });
  const tenants = () => fixture.stack.resource("tenants");
  const requests = () => requestsTo(fixture.emulator).sort();
  const run = async (operation: () => Promise<Result>) => {
    fixture.emulator.clearRequests();
    return operation();
  };
  const refuse = (userGroupId: string, method: "GET" | "DELETE") => {
    fixture.emulator.fault({ kind: "refuse", userGroupId, method });
  };

  describe("of which a group is refused", () => {
    let created: Result;
    before(async () => {
      refuse("refused", "GET");
      created = fails(await run(() => fixture.stack.up()));
    });

    it("says how many failed, and why", () => {
      const error = errorOf(created, "tenants");
      assert.match(error, /Cannot create all user groups: 1 failed\..*Run pulumi up again to do the rest/);
      assert.match(error, /Cannot create user group "refused": the service refused/);
      assert.match(warningsOf(created).join("\n"), /"adopted" existed before and is adopted/);
    });

    it("is recorded as far as it got, its tokens encrypted and its provider included", async () => {
      const { id, outputs, initErrors } = await tenants();
      const { __provider, groups, tokens, adopted, deletionLimit } = outputs;
      assert.equal(id, "user-groups");
      assert.equal(__provider, 'exports.handler = () => require("pulumi-user-groups/provider").userGroups;');
      assert.deepEqual(idsIn(groups), ["a.b", "adopted", "constructor", "gone", "leaves", "plan", "renamed"]);
      assert(isSecret(tokens));
      assert.deepEqual([adopted, deletionLimit, initErrors.length], [["adopted"], 3, 2]);
    });
  });

  describe("brought up again", () => {
    before(async () => {
      succeeds(await run(() => fixture.stack.up()));
    });

    it("does the rest, and only that", async () => {
      assert.deepEqual(requests(), ['GET "refused" created 200']);
      assert.deepEqual((await tenants()).initErrors, []);
    });

    it("gives the program each token, whatever the group's ID", async () => {
      const tokens = tokensOf(fixture.emulator);
      assert.deepEqual(await fixture.stack.plainOutputs(), { tokens, dotted: tokens["a.b"], name: "Tenant" });
    });
  });

  describe("refreshed, with more changed outside than deletionLimit", () => {
    let refreshed: Result;
    before(async () => {
      for (const id of ["a.b", "adopted", "constructor", "renamed"])
        fixture.emulator.renameGroup(id, "Theirs");
      fixture.emulator.removeGroup("gone");
      refreshed = succeeds(await run(() => fixture.stack.refresh()));
    });

    it("records what the service shows, and creates again what was gone", async () => {
      const { outputs, inputs } = await tenants();
      for (const { groups } of [outputs, inputs]) {
        const { "a.b": dotted, gone } = groupsById.parse(groups);
        assert.deepEqual([dotted?.name, gone?.name], ["Theirs", "Tenant"]);
      }
      assert.deepEqual(warningsOf(refreshed), [
        `user group "gone" didn't exist in the service. It was created again, with a new token.`,
      ]);
    });

    it("makes the preview fail, since the program would undo too much", async () => {
      fails(await run(() => fixture.stack.preview()), /\[deletion-limit\]/);
      assert.deepEqual(requests(), []);
    });

    it("keeps the tokens and the program's own secret encrypted, and nothing else", async () => {
      const { outputs, inputs } = await tenants();
      assert(isSecret(outputs["tokens"]));
      for (const { groups } of [outputs, inputs]) {
        const { key, plan } = groupsById.parse(groups)["plan"]?.properties ?? {};
        assert(isSecret(key));
        assert.equal(plan, "gold");
      }
    });
  });

  describe("changed", () => {
    let preview: Result;
    let up: Result;
    before(async () => {
      await fixture.stack.program(programOf(second));
      preview = succeeds(await run(() => fixture.stack.preview({ flags: ["--diff"] })));
      assert.deepEqual(requests(), []);
      refuse("leaves", "DELETE");
      refuse("plan", "GET");
      up = fails(await fixture.stack.up());
    });

    it("says in one line of the preview what the update will do", () => {
      assert.deepEqual(warningsOf(preview), [
        'user groups in this change: 1 to create ("added"), 1 to delete ("leaves"), 5 to delete and create again ' +
          'with a new token ("a.b", "adopted", "constructor", "plan", "renamed").',
      ]);
    });

    it("shows each difference in the preview, and hides the secret value alone", () => {
      assert.match(preview.output, /~ plan *: "gold" => "silver"/);
      assert.match(preview.output, /key *: \[secret\]/);
      assert.match(preview.output, /~ name *: "Theirs" => "Renamed"/);
      assert.match(preview.output, /\+ added *: \{\s+\+ name *: "Tenant"/);
    });

    it("goes on where groups fail, and records what was done", async () => {
      const error = errorOf(up, "tenants");
      assert.match(error, /Cannot update all user groups: 2 failed\./);
      assert.match(error, /Cannot delete user group "leaves"/);
      assert.match(error, /Cannot create user group "plan"/);
      const { outputs } = await tenants();
      const stored = [...fixture.emulator.groups.keys()].sort();
      assert.deepEqual(idsIn(outputs["groups"]), stored);
      assert(stored.includes("leaves") && !stored.includes("plan"));
    });

    it("is done by the next up", async () => {
      succeeds(await run(() => fixture.stack.up()));
      assert.deepEqual(requests(), ['DELETE "leaves" deleted 200', 'GET "plan" created 200']);
      assert.deepEqual((await fixture.stack.plainOutputs())["tokens"], tokensOf(fixture.emulator));
    });
  });

  describe("destroyed, where a deletion is refused", () => {
    it("says which and what helps, and keeps the state", async () => {
      refuse("gone", "DELETE");
      const error = errorOf(fails(await run(() => fixture.stack.destroy())), "tenants");
      assert.match(error, /Cannot delete all user groups: 1 failed\. Cannot delete user group "gone"/);
      assert.match(error, /\bpulumi destroy\b.*\bpulumi refresh\b.*\bup\b[^.]*\bno difference\b/s);
      assert.deepEqual([...fixture.emulator.groups.keys()], ["gone"]);
      assert.equal(idsIn((await tenants()).outputs["groups"]).length, 8);
    });

    it("is not seen by up, and undone by a refresh", async () => {
      assert.deepEqual(stepsOf(succeeds(await run(() => fixture.stack.up())), "tenants"), ["same"]);
      assert.deepEqual(requests(), []);
      succeeds(await fixture.stack.refresh());
      assert.equal(fixture.emulator.groups.size, 8);
      succeeds(await fixture.stack.up());
      assert.deepEqual((await fixture.stack.plainOutputs())["tokens"], tokensOf(fixture.emulator));
    });

    it("leaves nothing when it is done again", async () => {
      refuse("gone", "DELETE");
      fails(await fixture.stack.destroy());
      succeeds(await fixture.stack.destroy());
      assert.equal(fixture.emulator.groups.size, 0);
      assert.deepEqual(await fixture.stack.resources(), []);
    });
  });
});

const groupsById = z.record(
  z.string(),
  z.object({ name: z.string(), properties: z.record(z.string(), z.unknown()).optional() }),
);

function idsIn(groups: unknown): string[] {
  return Object.keys(groupsById.parse(groups)).sort();
}

function programOf(args: string): string {
  return `
    const { secret } = require("@pulumi/pulumi");
    const { UserGroups } = require("pulumi-user-groups");
    const name = "Tenant";
    const tenants = new UserGroups("tenants", ${args});
    exports.tokens = tenants.tokens;
    exports.dotted = tenants.tokens["a.b"];
    exports.name = tenants.groups.apply((groups) => groups["a.b"].name);
  `;
}

const first = `{
  deletionLimit: 3,
  groups: {
    "a.b": { name }, adopted: { name }, constructor: { name }, gone: { name }, leaves: { name }, refused: { name },
    renamed: { name }, plan: { name, properties: { key: secret("hidden value"), plan: "gold" } },
  },
}`;
const second = `{
  deletionLimit: 6,
  groups: {
    "a.b": { name }, adopted: { name }, constructor: { name }, gone: { name }, added: { name }, refused: { name },
    renamed: { name: "Renamed" }, plan: { name, properties: { key: secret("hidden value"), plan: "silver" } },
  },
}`;
