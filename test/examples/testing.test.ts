import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import * as fs from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { newProject, type Project } from "../engine/harness/project";
import { ended } from "../harness/run";
import { example } from "./example";

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
    const PATH = [resolve(__dirname, "../../node_modules/.bin"), process.env["PATH"]].join(delimiter);
    const env = { ...process.env, ...project.env, PATH };
    const { code, output } = await ended(spawn("npm", ["test"], { cwd: project.folder, env }));
    assert.equal(code, 0, output);
    assert.match(output, /^ +5 passing/m);
    assert.deepEqual(await fs.readdir(project.folder), files);
    assert.equal(await fs.readFile(join(project.folder, "Pulumi.test.yaml"), "utf8"), text);
  });
});
