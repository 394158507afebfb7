import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { canKill, newFixture, ProcessKiller, succeeds } from "../../engine/harness";
import { pluginProgram } from "../../engine/plugin/pluginProgram";
import { repository, snippetsOf } from "../pages";
import { assertPrinted } from "./printed";

const page = "docs/troubleshooting.md";
const program =
  'new (require("pulumi-user-groups").UserGroup)("acme", { userGroupId: "acme", name: "Acme" });';

const manifest = z.object({ engines: z.object({ node: z.string() }) });

/** The sample that contains a text. */
function sampleWith(text: string): string {
  const [sample, ...others] = snippetsOf(page, "text").filter((snippet) => snippet.includes(text));
  assert(sample !== undefined && others.length === 0, `${page} has not one sample with ${text}`);
  return sample;
}

/** These failures may print a stack, unlike those of the package. */
function failed<Launched extends { readonly code: number | null }>(launched: Launched): Launched {
  assert.notEqual(launched.code, 0);
  return launched;
}

describe(`${page}: a program without its packages`, () => {
  const fixture = newFixture(() => ({ program }));
  before("its packages are removed", async () => {
    succeeds(await fixture.stack.up());
    await fs.rm(join(fixture.stack.folder, "node_modules"));
    fixture.emulator.clearRequests();
  });

  it("shows the error without the SDK", async () => {
    assertPrinted(failed(await fixture.stack.up()), sampleWith("SDK"));
  });

  it("shows the error without the package, also of the commands that run no program", async () => {
    const packages = join(fixture.stack.folder, "node_modules");
    await fs.mkdir(packages);
    await fs.symlink(join(repository, "node_modules/@pulumi"), join(packages, "@pulumi"), "junction");
    for (const launched of [await fixture.stack.destroy(), await fixture.stack.refresh()])
      assertPrinted(failed(launched), sampleWith("pulumi-user-groups/provider"));
    assertPrinted(failed(await fixture.stack.up()), "Cannot find module 'pulumi-user-groups'");
    assert.deepEqual(fixture.emulator.requests, []);
  });
});

describe(`${page}: a stack whose last command was killed`, () => {
  const killer = new ProcessKiller();
  const log = () => {
    killer.onRequest();
  };
  const fixture = newFixture(() => ({ program, env: killer.env }), { log });

  it("shows the error, and how to go on", async function () {
    if (!canKill) return this.skip();
    const { code } = await killer.during({ requests: 1 }, () => fixture.stack.up());
    assert.equal(code, null);
    assertPrinted(failed(await fixture.stack.up()), sampleWith("locked"));
    await fixture.stack.recover();
    assert.match(succeeds(await fixture.stack.up()).output, /"acme" existed before and is adopted/);
  });
});

describe(`${page}: the plugin`, () => {
  const files = pluginProgram('new UserGroup("acme", { userGroupId: "acme", name: "Acme" });');
  const fixture = newFixture(() => ({
    program: { ...files, "Pulumi.yaml": "name: tests\nruntime: nodejs\n" },
  }));

  it("shows the errors if it isn't installed", async () => {
    const disabled = { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
    assertPrinted(failed(await fixture.stack.up({ env: disabled })), sampleWith("no resource plugin"));
    // No proxy listens there, so GitHub isn't reached.
    const offline = { HTTPS_PROXY: "http://127.0.0.1:1", NO_PROXY: "127.0.0.1" };
    assertPrinted(failed(await fixture.stack.up({ env: offline })), sampleWith("latest version"));
    assert.deepEqual(fixture.emulator.requests, []);
  });
});

describe(`${page}: pulumi import`, () => {
  const fixture = newFixture((emulator) => {
    emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    return { program: pluginProgram("") };
  });
  const importing = (type: string, id: string) =>
    fixture.stack.run(["import", type, "acme", id, "--stack", "dev", "--yes"]);

  it("shows the error of a dynamic resource", async () => {
    const imported = await importing("pulumi-nodejs:dynamic/user-groups:UserGroup", "acme");
    assertPrinted(failed(imported), sampleWith("toJavaScript"));
    assert.deepEqual(fixture.emulator.requests, []);
  });

  it("shows the error of a host that can't generate code, and has imported the group", async function () {
    const imported = await importing("user-groups:index:UserGroup", "acme=Acme");
    if (imported.code === 0) return this.skip(); // This engine's language host can.
    assertPrinted(imported, sampleWith("GenerateProgram"));
    assert.equal((await fixture.stack.resource("acme")).id, "acme");
  });
});

describe(`${page}: the version of Node.js`, () => {
  it("shows the range that the package requires", () => {
    const { engines } = manifest.parse(
      JSON.parse(readFileSync(join(repository, "provider/package.json"), "utf8")),
    );
    assert(sampleWith("needs Node.js").includes(` needs Node.js ${engines.node}; this is `));
  });
});
