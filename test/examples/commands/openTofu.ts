/** "From OpenTofu or Terraform" of docs/existing-groups.md, with OpenTofu, its provider Mastercard/restapi, and a `removed` block. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { peerEnvironment, peerFiles } from "../../../tools/bench/peer";
import { repository } from "../../pages/pages";
import type { Place } from "./place";
import { keepingTokens, run, snippet, typeScript, type Scenario } from "./scenarios";

const page = "docs/existing-groups.md";
const tenants = {
  acme: { name: "Acme", mapping: { sales: "acme-warehouse" }, properties: { region: "eu" } },
  globex: { name: "Globex", mapping: { sales: 7 } },
  initech: { name: "Initech" },
};

/** Those with responses of the service. */
const filesWithTokens = "$(grep -lr new_user_group ../tofu)";

export const fromOpenTofu: Scenario = {
  title: "groups come from OpenTofu",
  program: typeScript(snippet(page, "ts", 2)),
  // The service deletes a group without its token, so that a wrong step shows.
  service: { deleteNeeds: ["user_group_id"] },
  steps: [
    createGroups,
    ...keepingTokens(
      `${page}#1-write-the-file`,
      `${page}#2-import`,
      run("pulumi up"),
      async ({ folder, emulator }) => {
        assert.deepEqual(JSON.parse(await fs.readFile(join(folder, "groups.json"), "utf8")), tenants);
        assert.deepEqual(emulator.requests, []);
      },
      `${page}#3-verify-the-tokens`,
      run("pulumi refresh --skip-preview --expect-no-changes"),
      ({ folder }) => fs.writeFile(join(folder, "../tofu/main.tf"), snippet(page, "hcl", 0)),
      `${page}#4-take-the-groups-out-of-opentofu:1`,
      run(`tofu -chdir=../tofu show -no-color forget.tfplan | grep -Fx "${snippet(page, "text", 1)}"`),
      `${page}#4-take-the-groups-out-of-opentofu:2`,
      run("tofu -chdir=../tofu plan -detailed-exitcode", 'test -z "$(tofu -chdir=../tofu state list)"'),
      run(`test -n "${filesWithTokens}"`),
      `${page}#5-delete-the-old-states`,
      run(`test -z "${filesWithTokens}"`),
    ),
  ],
  end: "settled",
};

async function createGroups(place: Place): Promise<void> {
  const tofu = join(place.folder, "../tofu");
  await fs.cp(join(repository, "tools/bench/programs/opentofu"), tofu, { recursive: true });
  await fs.writeFile(join(tofu, "tenants.json"), JSON.stringify(tenants));
  const path = `${dirname(peerFiles.engine)}:${process.env["PATH"]}`;
  const environment = { ...(await peerEnvironment(tofu, place.emulator)), TF_INPUT: "false" };
  const settings = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
  // It prints the responses.
  const apply = "tofu -chdir=../tofu apply -auto-approve # as with --show-secrets";
  await place.shell(`export PATH="$PATH:${path}" ${settings.join(" ")}\n${apply}`);
  place.emulator.clearRequests();
}
