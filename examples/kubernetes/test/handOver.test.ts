import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { handOver } from "../handOver";

describe("handOver", () => {
  const declared: string[] = [];
  before(async () => {
    await pulumi.runtime.setMocks({
      newResource({ type, name, inputs }) {
        declared.push(`${type} ${name}`);
        return { id: name, state: { ...inputs, token: `token-of-${name}`, adopted: false } };
      },
      call: () => ({}),
    });
  });

  it("hands each tenant's token to the application in one secret file", async () => {
    const { stringData, metadata } = handOver({ acme: "Acme", globex: "Globex" });
    const files = await valueOf(stringData);
    assert.deepEqual(Object.keys(files), ["tokens.json"]);
    assert.deepEqual(JSON.parse(files["tokens.json"] ?? ""), {
      acme: "token-of-acme",
      globex: "token-of-globex",
    });
    assert.equal(await pulumi.isSecret(stringData), true);
    assert.equal(await valueOf(metadata.namespace), "web");
    assert.deepEqual(declared.sort(), [
      "kubernetes:core/v1:Secret user-group-tokens",
      "pulumi-nodejs:dynamic/user-groups:UserGroup acme",
      "pulumi-nodejs:dynamic/user-groups:UserGroup globex",
    ]);
  });
});

function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply(resolve));
}
