/** What docs/from-terraform.md shows, ready to be followed. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { peerFiles } from "../../bench/peer";
import type { RequestLogEntry } from "../../provider/src/testing";
import { pageAt, repository } from "../docs/pages";
import { newFixture, tokensOf, type Program, type Fixture } from "../engine/harness";
import { secretsOf } from "../engine/harness/secrets";
import { newPeer, run, type Ended, type Peer } from "./peer";

export const page = "docs/from-terraform.md";

/** The values in OpenTofu's list. */
export const tenants = {
  acme: { name: "Acme", mapping: { sales: "acme-warehouse" }, properties: { region: "eu" } },
  globex: { name: "Globex", mapping: { sales: 7 } },
  initech: { name: "Initech" },
};

/** OpenTofu's groups, and a Pulumi program in another folder. Both are removed after the tests. */
export interface Guide {
  readonly fixture: Fixture;
  readonly peer: Peer;
  /** The tokens that OpenTofu's groups got. */
  readonly tokens: Readonly<Record<string, string>>;
  /** All deletions that the service received, such as `DELETE "acme" deleted 200`. */
  readonly deletions: readonly string[];
  /** Runs a snippet in the folder of the Pulumi program. Asserts that it prints no token. */
  readonly shell: (script: string) => Promise<Ended>;
  /** Runs OpenTofu. Asserts that it succeeds. */
  readonly tofu: (...args: string[]) => Promise<string>;
  /** Writes OpenTofu's main.tf. */
  readonly configure: (text: string) => Promise<void>;
}

/** The service deletes a group without its token, so that a wrong step shows. */
export function newGuide(program: Program = pulumiProgram): Guide {
  const deletions: string[] = [];
  const log = (request: RequestLogEntry) => {
    if (request.method === "DELETE") deletions.push(String(request));
  };
  const fixture = newFixture(() => ({ program }), { deleteNeeds: ["user_group_id"], log });
  const peer = newPeer(() => fixture.emulator);
  let tokens: Readonly<Record<string, string>> = {};
  const configure = (text: string) => fs.writeFile(join(peer.folder, "main.tf"), text);
  const tofu = async (...args: string[]) => {
    const { code, output } = await peer.tofu(...args);
    assert.equal(code, 0, output);
    return output;
  };
  before("OpenTofu's groups, and the page's script", async () => {
    await configure(tofuProgram);
    await peer.declare(tenants);
    await tofu("apply", "-auto-approve");
    tokens = tokensOf(fixture.emulator);
    await fs.symlink(peer.folder, join(fixture.stack.folder, "../tofu"), "junction");
    await fixture.stack.program({ "inventory.mjs": snippetWith("js", "createHash") });
    fixture.emulator.clearRequests();
  });
  return {
    fixture,
    peer,
    get tokens() {
      return tokens;
    },
    deletions,
    async shell(script) {
      const env = { ...peer.env, ...fixture.stack.env, ...shellEnvironment };
      const ended = await run("sh", ["-ec", script], { cwd: fixture.stack.folder, env });
      for (const secret of secretsOf(fixture.emulator)) assert(!ended.output.includes(secret), script);
      return ended;
    },
    tofu,
    configure,
  };
}

/** The first snippet of the page in a language that has this text. */
export function snippetWith(language: string, text: string): string {
  const found = pageAt(page).snippets.find((each) => each.language === language && each.text.includes(text));
  assert(found, `${page} shows no ${language} with ${text}`);
  return found.text;
}

/** The program of `bench/programs/opentofu` with mappings and properties, and with the tokens as an output. */
export const tofuProgram = `
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

const pulumiProgram = {
  "index.ts": snippetWith("ts", "UserGroups"),
  "package.json": '{ "name": "tests", "private": true, "main": "index.ts" }\n',
};

const commands = [join(repository, "node_modules/.bin"), dirname(peerFiles().engine)];

const shellEnvironment = {
  PATH: [...commands, process.env["PATH"]].join(delimiter),
  PULUMI_STACK: "dev",
  PULUMI_SKIP_UPDATE_CHECK: "true",
};
