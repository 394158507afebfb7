import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { newProject, Stack, succeeds } from "../engine/harness";
import { example } from "./example";

describe("examples/testing", () => {
  let stack: Stack;
  before(async () => {
    stack = new Stack(await newProject(example("testing")), {});
  });
  after(() => stack.remove());

  it("tests its program, cleans up, and leaves the settings of a stack with the name test alone", async () => {
    const text = "config: { app:real: yes }\n";
    await stack.program({ "Pulumi.test.yaml": text });
    const files = await fs.readdir(stack.folder);
    assert.match(succeeds(await stack.shell("npm test")).output, /^ +3 passing/m);
    assert.deepEqual(await fs.readdir(stack.folder), files);
    assert.equal(await fs.readFile(join(stack.folder, "Pulumi.test.yaml"), "utf8"), text);
  });

  it("ends with the true error if its setup fails", async () => {
    const withoutEngine = 'node=$(command -v node) && PATH=$(dirname "$node")';
    const mocha = "node node_modules/mocha/bin/mocha.js --require ts-node/register test/integration.test.ts";
    const { output } = await stack.shell(`${withoutEngine} ${mocha}`);
    assert.match(output, /0 passing[^]*1 failing[^]*pulumi/);
    assert.doesNotMatch(output, /TypeError|hook/);
  });
});
