import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { resolve } from "node:path";
import { newStack, succeeds, type Environment, type Program } from "../harness";
import { goEnvironment, pythonEnvironment } from "../harness/languages";

/** Built or downloaded by `node engine/install.mjs --languages`. */
describe("the language hosts", () => {
  it("run a program in YAML", () => runs(yaml, {}));

  it("run a program in Python", async () => runs(python, await pythonEnvironment()));

  it("run a program in Go", async () => runs({ ...go, ...(await engineModule()) }, goEnvironment));
});

async function runs(program: Program, env: Environment): Promise<void> {
  const config = { "tests:name": "Acme", "tests:seat": { secret: "front row" } };
  const stack = await newStack({ program, config, env, secrets: ["front row"], patience: 600 });
  try {
    const preview = succeeds(await stack.preview());
    assert.deepEqual(preview.changes, { create: 1 });
    succeeds(await stack.up());
    assert.deepEqual(await stack.plainOutputs(), { name: "Acme", seat: "front row" });
  } finally {
    await stack.remove();
  }
}

const yaml = {
  "Pulumi.yaml": `
name: tests
runtime: yaml
config:
  name: { type: string }
  seat: { type: string, secret: true }
outputs:
  name: \${name}
  seat: \${seat}
`,
};

const python = {
  "Pulumi.yaml": "name: tests\nruntime: python\n",
  "__main__.py": `
import pulumi
config = pulumi.Config()
pulumi.export("name", config.require("name"))
pulumi.export("seat", config.require_secret("seat"))
`,
};

const go = {
  "Pulumi.yaml": "name: tests\nruntime: go\n",
  "main.go": `
package main

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		name, _ := ctx.GetConfig("tests:name")
		seat, _ := ctx.GetConfig("tests:seat")
		ctx.Export("name", pulumi.String(name))
		ctx.Export("seat", pulumi.ToSecret(pulumi.String(seat)))
		return nil
	})
}
`,
};

/** The engine's own versions of the SDK and of all that it needs. */
async function engineModule(): Promise<Record<string, string>> {
  const read = (name: string) => fs.readFile(resolve(__dirname, "../../../engine/cli", name), "utf8");
  return { "go.mod": await read("go.mod"), "go.sum": await read("go.sum") };
}
