import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { assertPrinted } from "../docs/printed";
import { isSecret, requestsTo, succeeds, tokensOf, warningsOf, type Program } from "../engine/harness";
import { example } from "../examples/example";
import { newGuide, page, snippetWith, tenants, tofuProgram, type Guide } from "./guide";

const verify = snippetWith("sh", "pulumi stack output tokens");
const deleteStates = snippetWith("sh", "grep -l");
const stateDelete = ["state", "delete", "--all", "--force", "--yes", "--stack", "dev"];

interface Way {
  readonly program?: Program;
  readonly resources: number;
  readonly letGo: (guide: Guide) => Promise<void>;
}

/** The two ways of step 5, each with one of the programs of step 2. */
const ways: Readonly<Record<string, Way>> = {
  "a removed block": { resources: 1, letGo: byRemovedBlock },
  "state rm": { resources: 3, program: oneForEach(), letGo: byStateRm },
};

for (const [name, { program, resources, letGo }] of Object.entries(ways))
  describe(`${page}, with ${name}`, () => {
    const guide = newGuide(program);
    const { fixture, peer, shell, tofu } = guide;
    const ids = Object.keys(tenants);
    const adoptions = ids.map((id) => `GET "${id}" returned 200`);

    it("takes an inventory without a request and without a token", async () => {
      assert.deepEqual(await shell(snippetWith("sh", "> hashes.txt")), { code: 0, output: "" });
      assert.deepEqual(requestsTo(fixture.emulator), []);
      const [groups, hashes] = await Promise.all(
        ["groups.json", "hashes.txt"].map((file) => fs.readFile(join(fixture.stack.folder, file), "utf8")),
      );
      assert.deepEqual(JSON.parse(groups ?? ""), tenants);
      assert.match(hashes ?? "", /^acme [0-9a-f]{64}\nglobex [0-9a-f]{64}\ninitech [0-9a-f]{64}\n$/);
      for (const token of Object.values(guide.tokens)) assert(!`${groups}${hashes}`.includes(token));
    });

    it("previews creations, adopts the groups with their tokens, and then shows no change", async () => {
      assert.deepEqual(succeeds(await fixture.stack.preview()).changes, { create: 1 + resources });
      assert.deepEqual(requestsTo(fixture.emulator), []);
      const up = succeeds(await fixture.stack.up());
      assert.match(warningsOf(up).join(), /can't be verified/);
      assert.deepEqual(requestsTo(fixture.emulator).sort(), adoptions);
      assert.deepEqual(succeeds(await fixture.stack.preview()).changes, { same: 1 + resources });
    });

    it("keeps the tokens encrypted in Pulumi's state", async () => {
      const made = (await fixture.stack.resources()).filter(({ type }) => type.includes("user-groups"));
      assert.equal(made.length, resources);
      for (const { outputs } of made) assert(isSecret(outputs["tokens"] ?? outputs["token"]));
      const { tokens } = await fixture.stack.plainOutputs();
      assert.deepEqual(tokens, guide.tokens);
    });

    it("verifies the tokens", async () => {
      assert.deepEqual(await shell(verify), { code: 0, output: "OK\n" });
    });

    it("lets OpenTofu forget the groups without a deletion, and changes no token", async () => {
      await letGo(guide);
      assert.match(await tofu("plan"), /No changes/);
      assert.equal(await tofu("state", "list"), "");
      assert.deepEqual(guide.deletions, []);
      assert.deepEqual(tokensOf(fixture.emulator), guide.tokens);
      assert.deepEqual(await shell(verify), { code: 0, output: "OK\n" });
    });

    it("deletes the states that have tokens in plain text", async () => {
      assert((await filesWithTokens()).length > 0);
      assert.deepEqual(await shell(`${deleteStates} || true`), { code: 0, output: "" });
      assert.deepEqual(await filesWithTokens(), []);
    });

    it("ends without the options of the move, and without a request", async () => {
      const protecting = await fs.readFile(join(fixture.stack.folder, "index.ts"), "utf8");
      await fixture.stack.program({ "index.ts": withoutProtection(protecting) });
      fixture.emulator.clearRequests();
      succeeds(await fixture.stack.up());
      assert.deepEqual(requestsTo(fixture.emulator), []);
      assert.deepEqual(tokensOf(fixture.emulator), guide.tokens);
    });

    it("goes back with the same tokens", async () => {
      await guide.configure(tofuProgram);
      assert.match(await tofu("apply", "-auto-approve"), /3 added, 0 changed, 0 destroyed/);
      assert.deepEqual(requestsTo(fixture.emulator).sort(), adoptions);
      assert.deepEqual(await shell(snippetWith("sh", "state pull | node inventory.mjs | diff")), {
        code: 0,
        output: "OK\n",
      });
      fixture.emulator.clearRequests();
      succeeds(await fixture.stack.run(stateDelete));
      assert.deepEqual(await fixture.stack.resources(), []);
      assert.deepEqual(requestsTo(fixture.emulator), []);
      assert.match(await tofu("plan"), /No changes/);
      assert.deepEqual(guide.deletions, []);
      assert.deepEqual(tokensOf(fixture.emulator), guide.tokens);
    });

    const filesWithTokens = async () => {
      const names = await fs.readdir(peer.folder);
      const texts = await Promise.all(names.map((file) => fs.readFile(join(peer.folder, file), "latin1")));
      const isOpen = (text = "") => Object.values(guide.tokens).some((token) => text.includes(token));
      return names.filter((_, index) => isOpen(texts[index]));
    };
  });

async function byRemovedBlock({ configure, shell }: Guide): Promise<void> {
  await configure(snippetWith("hcl", "removed"));
  const plan = await shell(snippetWith("sh", "-out=forget.tfplan"));
  assertPrinted(plan, snippetWith("text", "Plan:"));
  const { code, output } = await shell(snippetWith("sh", "apply forget.tfplan"));
  assert.equal(code, 0, output);
}

async function byStateRm({ configure, shell, tofu }: Guide): Promise<void> {
  const { code, output } = await shell(snippetWith("sh", "state rm"));
  assert.equal(code, 0, output);
  await configure("");
  assert.match(await tofu("apply", "-auto-approve"), /0 added, 0 changed, 0 destroyed/);
}

/** The program without the options that prevent deletions. */
function withoutProtection(program: string): string {
  const found = program.replace(/, { retainOnDelete: true }|\{ protect: true, retainOnDelete: true },/, "");
  assert.notEqual(found, program);
  return found.replace("deletionLimit: 0", "deletionLimit: 10");
}

/** examples/adopting, whose list is the inventory. */
function oneForEach(): Program {
  const { "existing.ts": existing = "", ...rest } = example("adopting");
  const read = existing.replace(/= {[^]*};/, '= JSON.parse(readFileSync("groups.json", "utf8"));');
  assert.notEqual(read, existing);
  return { ...rest, "existing.ts": `import { readFileSync } from "node:fs";\n${read}` };
}
