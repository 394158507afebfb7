/** Follows docs/from-terraform.md with OpenTofu and a `removed` block. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildPeer, peerEnvironment, peerFiles } from "../../bench/peer";
import type { RequestLogEntry } from "../../provider/src/testing";
import { pageAt, repository } from "../docs/pages";
import { isSecret, newFixture, requestsTo, succeeds, tokensOf, warningsOf } from "../engine/harness";
import { run } from "../harness/run";

const page = "docs/from-terraform.md";
const tenants = {
  acme: { name: "Acme", mapping: { sales: "acme-warehouse" }, properties: { region: "eu" } },
  globex: { name: "Globex", mapping: { sales: 7 } },
  initech: { name: "Initech" },
};

describe(page, () => {
  const deletions: string[] = [];
  const log = (request: RequestLogEntry) => {
    if (request.method === "DELETE") deletions.push(String(request));
  };
  // The service deletes a group without its token, so that a wrong step shows.
  const fixture = newFixture(() => ({ program: pulumiProgram }), { deleteNeeds: ["user_group_id"], log });
  const tofuFile = (name: string) => join(fixture.stack.folder, "../tofu", name);
  let tokens: Record<string, string>;

  before("OpenTofu's groups", async () => {
    buildPeer();
    await fs.cp(join(repository, "bench/programs/opentofu"), tofuFile(""), { recursive: true });
    await fs.writeFile(tofuFile("main.tf"), tofuProgram);
    await fs.writeFile(tofuFile("tenants.json"), JSON.stringify(tenants));
    await shell("tofu -chdir=../tofu apply -auto-approve", { isPlain: true });
    tokens = tokensOf(fixture.emulator);
    fixture.emulator.clearRequests();
  }).timeout("15m");

  it("moves the groups with their tokens and without a request, and no tool sends a deletion", async () => {
    const { stack, emulator } = fixture;
    await shell(snippetWith("sh", "import-file"));
    assert.deepEqual(JSON.parse(await fs.readFile(join(stack.folder, "groups.json"), "utf8")), tenants);
    await shell(snippetWith("sh", "pulumi import"));
    assert.deepEqual(succeeds(await stack.up()).changes, { same: 2 });
    assert.deepEqual(requestsTo(emulator), []);
    assert(isSecret((await stack.resource("customers")).outputs["tokens"]));
    const verify = snippetWith("sh", "pulumi stack output tokens");
    const compare = verify.slice(verify.indexOf("pulumi stack"));
    assert.equal(await shell(verify), "-: OK\n");
    assert.deepEqual(warningsOf(succeeds(await stack.refresh())), []);

    await fs.writeFile(tofuFile("main.tf"), snippetWith("hcl", "removed"));
    const plan = await shell(snippetWith("sh", "-out=forget.tfplan"));
    assert.equal(plan.trim(), snippetWith("text", "Plan:"));
    await shell(snippetWith("sh", "apply forget.tfplan"));
    assert.match(await shell("tofu -chdir=../tofu plan"), /No changes/);
    assert.equal(await shell("tofu -chdir=../tofu state list"), "");
    assert.deepEqual(deletions, []);
    assert.deepEqual(tokensOf(emulator), tokens);
    assert.equal(await shell(compare), "-: OK\n");

    const filesWithTokens = async () => {
      const patterns = Object.values(tokens).flatMap((token) => ["-e", token]);
      const { stdout } = await run("grep", ["-lr", ...patterns, tofuFile("")]);
      return stdout.trim();
    };
    assert.notEqual(await filesWithTokens(), "");
    await shell(`${snippetWith("sh", "grep -l")} || true`);
    assert.equal(await filesWithTokens(), "");
  });

  /** Runs a snippet in the folder of the Pulumi program. Asserts that it succeeds and prints no token. */
  async function shell(script: string, { isPlain = false } = {}): Promise<string> {
    const { stack, emulator } = fixture;
    const PATH = [dirname(peerFiles.engine), stack.shellEnv["PATH"]].join(delimiter);
    const env = { ...(await peerEnvironment(tofuFile(""), emulator)), PATH, TF_INPUT: "false" };
    return stripVTControlCharacters(succeeds(await stack.shell(script, { env, isPlain })).output);
  }
});

/** The first snippet of the page in a language that has this text. */
function snippetWith(language: string, text: string): string {
  const found = pageAt(page).snippets.find((each) => each.language === language && each.text.includes(text));
  assert(found, `${page} shows no ${language} with ${text}`);
  return found.text;
}

const pulumiProgram = {
  "index.ts": snippetWith("ts", "UserGroups"),
  "package.json": '{ "name": "tests", "private": true, "main": "index.ts" }\n',
};

/** The program of `bench/programs/opentofu` with mappings and properties, and with the tokens as an output. */
const tofuProgram = `
locals {
  tenants = jsondecode(file("\${path.module}/tenants.json"))
}

resource "restapi_object" "user_group" {
  for_each     = local.tenants
  path         = "/api/user"
  data         = jsonencode(merge({ user_group_id = each.key }, each.value))
  read_path    = "/api/user"
  read_data    = jsonencode(merge({ user_group_id = each.key }, each.value))
  destroy_path = "/api/user"
  destroy_data = jsonencode({ user_group_id = each.key })
}

output "tokens" {
  value     = { for id, group in restapi_object.user_group : id => jsondecode(group.api_response).user_group.token }
  sensitive = true
}
`;
