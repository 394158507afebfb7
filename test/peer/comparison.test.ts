// Facts about the peer in docs/comparison.md.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { newPeer } from "./peer";
import { otherGroup } from "../harness/responseFaults";

describe("the peer of docs/comparison.md", () => {
  const peer = newPeer();
  before("a group that exists, adopted", async () => {
    await peer.declare({ acme: { name: "Acme" } });
    peer.emulator.putGroup({ userGroupId: "acme", name: "Acme" });
    succeeds(await peer.tofu("apply", "-auto-approve"));
  });

  it("adopts without a word, and keeps the token in plain text", async () => {
    assert.match(peer.emulator.requests.map(String).join(), /returned/);
    assert((await stateOf(peer.folder)).includes(tokenOf("acme")));
  });

  it("asks for every group in a plan, and so creates one that is gone", async () => {
    peer.emulator.removeGroup("acme");
    assert.match(succeeds(await peer.tofu("plan")).output, /No changes/);
    assert(peer.emulator.groups.has("acme"));
  });

  it("can't follow a change of name", async () => {
    await peer.declare({ acme: { name: "Acme Corporation" } });
    const { code, output } = await peer.tofu("apply", "-auto-approve");
    assert.equal(code, 1, output);
    assert(peer.emulator.requests.some(({ method }) => method === "PUT"));
    assert.equal(peer.emulator.groups.get("acme")?.name, "Acme");
  });

  it("records another group's token where the answer is about another group", async () => {
    await peer.declare({ acme: { name: "Acme" }, globex: { name: "Globex" } });
    peer.emulator.fault({ ...otherGroup(peer.emulator), userGroupId: "globex" });
    const { output } = succeeds(await peer.tofu("apply", "-auto-approve"));
    assert.match(output, /user_group\["globex"\]: Creation complete after \d+s \[id=acme\]/);
  });

  it("prints the token in a plan that deletes the group", async () => {
    const { output } = succeeds(await peer.tofu("plan", "-destroy"));
    assert(output.includes(tokenOf("acme")));
  });

  it("sends no current_token, and takes a refused deletion for done", async () => {
    assert.match(succeeds(await peer.tofu("destroy", "-auto-approve")).output, /Destroy complete!/);
    const refused = 'DELETE "acme" refused 200 (current_token missing)';
    assert(peer.emulator.requests.some((request) => String(request) === refused));
    assert(peer.emulator.groups.has("acme"));
  });

  const tokenOf = (id: string) => peer.emulator.groups.get(id)?.token ?? "none";
});

describe("the peer of docs/comparison.md, with force_new and encrypted state", () => {
  const peer = newPeer();
  let token: string;
  before("a group", async () => {
    const main = join(peer.folder, "main.tf");
    const resource = await fs.readFile(main, "utf8");
    const path = 'path         = "/api/user"\n';
    assert(resource.includes(`  ${path}`));
    await fs.writeFile(main, resource.replace(path, `force_new = [each.value.name]\n  ${path}`));
    await fs.writeFile(join(peer.folder, "encryption.tf"), encryption);
    await peer.declare({ acme: { name: "Acme" } });
    succeeds(await peer.tofu("apply", "-auto-approve"));
    token = peer.emulator.groups.get("acme")?.token ?? "none";
  });

  it("keeps no token in plain text", async () => {
    const state = await stateOf(peer.folder);
    assert.match(state, /"encrypted_data"/);
    assert(!state.includes(token));
  });

  it("announces a replacement where a name changes", async () => {
    await peer.declare({ acme: { name: "Acme Corporation" } });
    assert.match(succeeds(await peer.tofu("plan")).output, /must be replaced[^]*# forces replacement/);
  });

  it("takes the replacement for done where the deletion needs the token, and nothing has changed", async () => {
    assert.match(
      succeeds(await peer.tofu("apply", "-auto-approve")).output,
      /1 added, 0 changed, 1 destroyed/,
    );
    assert.equal(peer.emulator.groups.get("acme")?.name, "Acme");
    assert.equal(peer.emulator.groups.get("acme")?.token, token);
  });

  it("replaces the group where the deletion needs no token", async () => {
    peer.emulator.configure({ deleteNeeds: ["user_group_id"] });
    await peer.declare({ acme: { name: "Acme International" } });
    succeeds(await peer.tofu("apply", "-auto-approve"));
    assert.equal(peer.emulator.groups.get("acme")?.name, "Acme International");
    assert.notEqual(peer.emulator.groups.get("acme")?.token, token);
  });
});

function succeeds<Outcome extends { code: number | null; output: string }>(outcome: Outcome): Outcome {
  assert.equal(outcome.code, 0, outcome.output);
  return outcome;
}

function stateOf(folder: string): Promise<string> {
  return fs.readFile(join(folder, "terraform.tfstate"), "utf8");
}

const encryption = `terraform {
  encryption {
    key_provider "pbkdf2" "passphrase" {
      passphrase = "a-passphrase-of-the-tests"
    }
    method "aes_gcm" "state" {
      keys = key_provider.pbkdf2.passphrase
    }
    state {
      method = method.aes_gcm.state
    }
  }
}
`;
