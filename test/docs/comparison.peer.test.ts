// What docs/comparison.md says of the peer, wherever `npm run bench` has built it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { peerFiles } from "../../bench/peer";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { repository } from "./pages";

const { engine, provider } = peerFiles();

if (existsSync(engine) && existsSync(provider))
  describe("the peer of docs/comparison.md", () => {
    let emulator: Emulator;
    let folder: string;
    before("a service, a program and its groups", async () => {
      emulator = await startEmulator();
      folder = await fs.mkdtemp(join(tmpdir(), "user-groups-peer-"));
      await fs.cp(join(repository, "bench/programs/opentofu"), folder, { recursive: true });
      await declare({ acme: { name: "Acme" } });
      await fs.writeFile(join(folder, "tofu.rc"), settings);
      emulator.putGroup({ userGroupId: "acme", name: "Acme" });
      succeeds(await tofu("apply", "-auto-approve"));
    });
    after("their end", async () => {
      await fs.rm(folder, { recursive: true });
      await emulator.stop();
    });
    const declare = (tenants: object) => fs.writeFile(join(folder, "tenants.json"), JSON.stringify(tenants));
    const tofu = async (...args: string[]) => {
      emulator.clearRequests();
      const env = {
        ...process.env,
        TF_CLI_CONFIG_FILE: join(folder, "tofu.rc"),
        TF_VAR_base_url: emulator.baseUrl,
        TF_VAR_api_token: emulator.apiToken,
      };
      const child = spawn(engine, [...args, "-no-color", "-input=false"], { cwd: folder, env });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      await once(child, "close");
      return { code: child.exitCode, output };
    };

    it("adopts without a word, and keeps the token in plain text", async () => {
      assert.match(emulator.requests.map(String).join(), /returned/);
      const { token = "none" } = emulator.groups.get("acme") ?? {};
      assert((await fs.readFile(join(folder, "terraform.tfstate"), "utf8")).includes(token));
    });

    it("asks for every group in a plan, and so creates one that is gone", async () => {
      emulator.removeGroup("acme");
      assert.match(succeeds(await tofu("plan")).output, /No changes/);
      assert(emulator.groups.has("acme"));
    });

    it("can't follow a change of name", async () => {
      await declare({ acme: { name: "Acme Corporation" } });
      const { code, output } = await tofu("apply", "-auto-approve");
      assert.equal(code, 1, output);
      assert(emulator.requests.some(({ method }) => method === "PUT"));
      assert.equal(emulator.groups.get("acme")?.name, "Acme");
    });

    it("records another group's token where the answer is about another group", async () => {
      await declare({ acme: { name: "Acme" }, globex: { name: "Globex" } });
      emulator.fault({ kind: "wrongGroup", userGroupId: "globex" });
      const { output } = succeeds(await tofu("apply", "-auto-approve"));
      assert.match(output, /user_group\["globex"\]: Creation complete after \d+s \[id=acme\]/);
    });

    it("sends no current_token, and takes a refused deletion for done", async () => {
      assert.match(succeeds(await tofu("destroy", "-auto-approve")).output, /Destroy complete!/);
      const refused = 'DELETE "acme" refused 200 (current_token missing)';
      assert(emulator.requests.some((request) => String(request) === refused));
      assert(emulator.groups.has("acme"));
    });
  });

function succeeds<Outcome extends { code: number | null; output: string }>(outcome: Outcome): Outcome {
  assert.equal(outcome.code, 0, outcome.output);
  return outcome;
}

const settings = `provider_installation {
  dev_overrides {
    "Mastercard/restapi" = ${JSON.stringify(dirname(provider))}
  }
  direct {}
}
`;
