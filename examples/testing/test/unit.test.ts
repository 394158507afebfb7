import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { declareTenants } from "../tenants";

describe("declareTenants", () => {
  const declared = new Map<string, unknown>();
  let token: pulumi.Output<string> | undefined;

  before(async () => {
    await pulumi.runtime.setMocks({
      newResource({ type, name, inputs: { __provider, __resource, ...args } }: Declaration) {
        declared.set(`${type} ${name}`, args);
        return { id: name, state: { ...args, token: `token of ${name}`, adopted: false } };
      },
      call: () => ({}),
    });
    ({ acme: token } = declareTenants([{ id: "acme", name: "Acme", plan: "basic" }]));
    await valueOf(token);
  });

  it("gives each tenant a data source of its own", () => {
    assert.deepEqual(declared.get("pulumi-nodejs:dynamic/user-groups:UserGroup acme"), {
      userGroupId: "acme",
      name: "Acme",
      mapping: { sales: "acme-warehouse" },
      properties: { plan: "basic" },
    });
  });

  it("hands the tokens on as secrets", async () => {
    assert.equal(await valueOf(token), "token of acme");
    assert.equal(await pulumi.isSecret(pulumi.output(token)), true);
  });
});

type Declaration = Omit<pulumi.runtime.MockResourceArgs, "inputs"> & { inputs: Record<string, unknown> };

function valueOf<T>(output: pulumi.Input<T>): Promise<pulumi.Unwrap<T>> {
  return new Promise((resolve) => pulumi.output(output).apply(resolve));
}
