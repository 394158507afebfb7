import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { UserGroups } from "../../../provider/src";
import { mockEngine, record, valueOf } from "./mockedProgram";

describe("UserGroups in a program", () => {
  let registered: readonly pulumi.runtime.MockResourceArgs[] = [];
  beforeEach(async () => {
    registered = await mockEngine(({ groups }) => ({
      tokens: Object.fromEntries(Object.keys(record(groups)).map((id) => [id, `token of ${id}`])),
      adopted: [],
    }));
  });

  it("is registered with its type, its arguments, the frozen text of its provider and an identification", async () => {
    const args = {
      groups: { acme: { name: "Acme", mapping: { sales: 1 } }, "a.b": pulumi.output({ name: "Dotted" }) },
      adopt: false,
      removed: "retain",
      deletionLimit: 3,
      connection: "eu",
    } as const;
    await valueOf(new UserGroups("tenants", args).urn);
    const [{ type, name, inputs, custom } = assert.fail("nothing is registered"), ...others] = registered;
    assert.deepEqual([type, name, custom], ["pulumi-nodejs:dynamic/user-groups:UserGroups", "tenants", true]);
    const { __resource, ...known } = record(inputs);
    assert.equal(typeof __resource, "string");
    assert.deepEqual(known, {
      ...args,
      groups: { ...args.groups, "a.b": { name: "Dotted" } },
      __provider: 'exports.handler = () => require("pulumi-user-groups/provider").userGroups;',
    });
    assert.deepEqual(others, []);
  });

  it("has each group's token as a secret, under any ID", async () => {
    const ids = ["acme", "a.b", "constructor", "apply"];
    const { tokens } = new UserGroups("tenants", {
      groups: Object.fromEntries(ids.map((id) => [id, { name: "Tenant" }])),
    });
    assert(await pulumi.isSecret(tokens));
    assert(await pulumi.isSecret(tokens["acme"] ?? assert.fail("tokens can't be looked up by ID")));
    for (const id of ids) assert.equal(await valueOf(tokens.apply((all) => all[id])), `token of ${id}`);
  });

  it("has the groups, which are no secrets", async () => {
    const { groups, adopted } = new UserGroups("tenants", { groups: { acme: { name: "Acme" } } });
    assert.deepEqual(await valueOf(groups), { acme: { name: "Acme" } });
    assert.deepEqual(await valueOf(adopted), []);
    assert.equal(await pulumi.isSecret(groups), false);
  });

  it("has undefined outputs for arguments that aren't set", async () => {
    const { adopt, removed, deletionLimit, connection, baseUrl } = new UserGroups("tenants", { groups: {} });
    const outputs: pulumi.Output<unknown>[] = [adopt, removed, deletionLimit, connection, baseUrl];
    for (const output of outputs) assert.equal(await valueOf(output), undefined);
  });
});
