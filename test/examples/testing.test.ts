import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { newProject, type Project } from "../engine/harness/project";
import { run, succeeds } from "../harness/run";
import { example, pathWithTools } from "./example";

describe("examples/testing", () => {
  let project: Project;
  before(async () => {
    project = await newProject(example("testing"));
  });
  after(() => project.remove());

  it("tests its program, cleans up, and leaves the settings of a stack with the name test alone", async () => {
    const text = "config: { app:real: yes }\n";
    await project.write({ "Pulumi.test.yaml": text });
    const files = await fs.readdir(project.folder);
    const env = { ...process.env, ...project.env, PATH: pathWithTools() };
    const tested = succeeds(await run("npm", ["test"], { cwd: project.folder, env }));
    assert.match(tested.output, /^ +3 passing/m);
    assert.deepEqual(await fs.readdir(project.folder), files);
    assert.equal(await fs.readFile(join(project.folder, "Pulumi.test.yaml"), "utf8"), text);
  });

  it("ends with the true error if its setup fails", async () => {
    // The Automation API finds no engine.
    const env = { ...process.env, ...project.env, PATH: dirname(process.execPath) };
    const args = ["--require", "ts-node/register", "test/integration.test.ts"];
    const mocha = join(project.folder, "node_modules/mocha/bin/mocha.js");
    const { code, output } = await run(process.execPath, [mocha, ...args], { cwd: project.folder, env });
    assert.equal(code, 1);
    assert.match(output, /0 passing[^]*1 failing[^]*pulumi/);
    assert.doesNotMatch(output, /TypeError|hook/);
  });
});
