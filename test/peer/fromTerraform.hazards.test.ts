import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { fails, requestsTo, succeeds, tokensOf, warningsOf } from "../engine/harness";
import { newGuide, page, snippetWith, tenants, tofuProgram } from "./guide";
import { otherGroup } from "../harness/responseFaults";

const takeInventory = snippetWith("sh", "> hashes.txt");
const ids = Object.keys(tenants);

describe(`${page}: groups that changed after the inventory`, () => {
  const { fixture, shell, deletions } = newGuide();
  before("a new token, a group that is gone, and a new name", async () => {
    assert.equal((await shell(takeInventory)).code, 0);
    fixture.emulator.rotateToken("acme");
    fixture.emulator.removeGroup("globex");
    fixture.emulator.renameGroup("initech", "Initech International");
  });

  it("fail the verification if their tokens differ, and are named", async () => {
    assert.match(warningsOf(succeeds(await fixture.stack.up())).join(), /"initech" has a different name/);
    const { code, output } = await shell(snippetWith("sh", "pulumi stack output tokens"));
    const named = [...output.matchAll(/^[<>] (\w+) [0-9a-f]{64}$/gm)].map(([, id]) => id);
    assert.deepEqual([code, named.sort()], [1, ["acme", "acme", "globex", "globex"]]);
    assert.doesNotMatch(output, /OK/);
  });

  it("are in the output adopted, unless they were gone", async () => {
    const { adopted } = await fixture.stack.plainOutputs();
    assert.deepEqual(adopted, ["acme", "initech"]);
  });

  it("are not replaced during the move", async () => {
    fails(await fixture.stack.preview(), /\[deletion-limit\]/);
    fails(await fixture.stack.up(), /\[deletion-limit\]/);
    assert.deepEqual(deletions, []);
  });
});

describe(`${page}: facts about OpenTofu and restapi`, () => {
  const guide = newGuide();
  const { fixture, peer, shell, tofu, configure } = guide;
  const inFolder = (file: string) => fs.readFile(join(fixture.stack.folder, file), "utf8");
  beforeEach("a state of OpenTofu with the groups", async () => {
    await fs.rm(join(peer.folder, "terraform.tfstate"));
    await configure(tofuProgram);
    await peer.declare(tenants);
    await tofu("apply", "-auto-approve");
    fixture.emulator.clearRequests();
  });

  it("makes the same inventory from the tokens of a script", async () => {
    await shell(takeInventory);
    const hashes = await inFolder("hashes.txt");
    await fixture.stack.program({ "tokens.json": JSON.stringify(guide.tokens), "hashes.txt": "" });
    assert.deepEqual(await shell(snippetWith("sh", "< tokens.json")), { code: 0, output: "" });
    assert.equal(await inFolder("hashes.txt"), hashes);
  });

  it("takes the service's name, where the data has another", async () => {
    const updates = 'update_path = "/api/user"\n  update_method = "GET"\n  path ';
    await configure(tofuProgram.replace(/\bpath /, updates));
    await peer.declare({ ...tenants, acme: { ...tenants.acme, name: "Acme Corporation" } });
    assert.match(await tofu("apply", "-auto-approve"), /3 changed/);
    assert.match(await tofu("state", "pull"), /Acme Corporation/);
    await shell(takeInventory);
    assert.deepEqual(JSON.parse(await inFolder("groups.json")), tenants);
  });

  it("makes no inventory without groups", async () => {
    const { output } = await shell("echo '{}' | node inventory.mjs || true");
    assert.match(output, /No groups found/);
  });

  it("makes no inventory of a response about another group", async () => {
    // restapi reads a group twice.
    fixture.emulator.fault({ ...otherGroup(fixture.emulator), userGroupId: "acme", times: 2 });
    await tofu("apply", "-refresh-only", "-auto-approve");
    const { output } = await shell(takeInventory);
    assert.match(output, /The state has a response about \w+ for acme/);
  });

  it("can't import a group", async () => {
    const address = 'restapi_object.user_group["acme"]';
    await tofu("state", "rm", address);
    const { code, output } = await peer.tofu("import", address, "/api/user/acme");
    assert.equal(code, 1);
    assert.match(output, /non-existent remote object/);
    assert(
      requestsTo(fixture.emulator).includes("GET /api/user/acme refused 404 (unknown path /api/user/acme)"),
    );
  });

  it("shows the tokens in a full plan", async () => {
    await configure(snippetWith("hcl", "removed"));
    const plan = await tofu("plan");
    for (const token of Object.values(guide.tokens)) assert(plan.includes(token));
  });

  it("keeps the groups if the removed block has no lifecycle", async () => {
    await configure("removed {\n  from = restapi_object.user_group\n}\n");
    assert.match(await tofu("apply", "-auto-approve"), /0 destroyed, 3 forgotten/);
    assert.deepEqual(tokensOf(fixture.emulator), guide.tokens);
  });

  it("deletes the groups if the resource only leaves the program", async () => {
    await configure("");
    await tofu("apply", "-auto-approve");
    const expected = ids.map((id) => `DELETE "${id}" deleted 200`);
    assert.deepEqual([...guide.deletions].sort(), expected);
  });
});
