import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { z } from "zod";
import { shardOf } from "../../examples/shards/sharding";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { newProject, type Project } from "../engine/harness/project";
import { assertNoSecrets, secretsOf } from "../engine/harness/secrets";
import { isSecret, readState } from "../engine/harness/state";

const repository = resolve(__dirname, "../..");
const example = join(repository, "examples/shards");
const files = ["Pulumi.yaml", "package.json", "index.ts", "sharding.ts", "deploy.ts", "tsconfig.json"];
const read = (file: string) => readFileSync(join(example, file), "utf8");
const three = ["shard-1", "shard-2", "shard-3"];
const four = [...three, "shard-4"];
const customers = Array.from({ length: 60 }, (_, n) => ({ id: `tenant-${n}`, name: `Tenant ${n}` }));

const groupsById = z.record(z.string(), z.unknown());

describe("examples/shards", () => {
  let emulator: Emulator;
  let project: Project;
  let former: Record<string, string>;
  before(async () => {
    emulator = await startEmulator();
    project = await newProject(Object.fromEntries(files.map((file) => [file, read(file)])));
    await project.write({
      "customers.json": JSON.stringify(customers),
      "shards.json": JSON.stringify(three),
    });
  });
  after(async () => {
    await project.remove();
    await emulator.stop();
  });
  const tokens = () => Object.fromEntries([...emulator.groups.values()].map((g) => [g.userGroupId, g.token]));

  /** Runs deploy.ts as `npm run deploy` does. */
  const deploy = async (): Promise<{ code: number | null; output: string }> => {
    const child = spawn(process.execPath, ["--require", "ts-node/register", "deploy.ts"], {
      cwd: project.folder,
      env: {
        ...process.env,
        PATH: [join(repository, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
        ...project.env,
        PULUMI_CONFIG_PASSPHRASE: "correct horse",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        TS_NODE_TRANSPILE_ONLY: "true",
        USER_GROUPS_BASE_URL: emulator.baseUrl,
        USER_GROUPS_API_TOKEN: emulator.apiToken,
      },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const code = await new Promise<number | null>((done, failed) => {
      child.once("error", failed).once("close", done);
    });
    await assertNoSecrets(new Set(secretsOf(emulator)), new Map([["the output", output]]), [project.backend]);
    return { code, output };
  };

  /** The IDs that a shard has recorded, and whether its tokens are encrypted. */
  const recordOf = (shard: string) => {
    const state = readFileSync(join(project.backend, ".pulumi/stacks/shards", `${shard}.json`), "utf8");
    const { outputs } = readState(state).find(({ name }) => name === "tenants") ?? assert.fail("no tenants");
    return {
      ids: Object.keys(groupsById.parse(outputs["groups"])),
      isEncrypted: isSecret(outputs["tokens"]),
    };
  };
  const assertSpread = (shards: readonly string[]) => {
    for (const shard of shards) {
      const { ids, isEncrypted } = recordOf(shard);
      assert.deepEqual(
        ids.sort(),
        customers
          .map(({ id }) => id)
          .filter((id) => shardOf({ id }, shards) === shard)
          .sort(),
      );
      assert(ids.length > 0 && isEncrypted);
    }
  };

  it("spreads the customers over the shards, and says of each when it is done", async () => {
    const { code, output } = await deploy();
    assert.equal(code, 0, output);
    assert.equal(emulator.requests.length, 60);
    assertSpread(three);
    for (const shard of three)
      assert.match(output, new RegExp(`^\\[${shard}\\] done after \\d+ s, with \\d+ customers$`, "m"));
    former = tokens();
  });

  it("moves only who must move when a shard is added, deletes nobody and keeps every token", async () => {
    await project.write({ "shards.json": JSON.stringify(four) });
    emulator.clearRequests();
    const { code, output } = await deploy();
    assert.equal(code, 0, output);
    const moved = customers.map(({ id }) => id).filter((id) => shardOf({ id }, four) === "shard-4");
    assert.deepEqual(
      emulator.requests
        .map(({ method, userGroupId = "", effect }) => [method, userGroupId, effect].join(" "))
        .sort(),
      moved.map((id) => `GET ${id} returned`).sort(),
    );
    assert.deepEqual(tokens(), former);
    assertSpread(four);
    assert.match(output, /^\[shard-4\] .*were there before and are adopted/m);
  });

  it("refuses to move some customers while others are gone, since it couldn't tell which to delete", async () => {
    await project.write({
      "shards.json": JSON.stringify(three),
      "customers.json": JSON.stringify(customers.slice(1)),
    });
    emulator.clearRequests();
    const { code, output } = await deploy();
    assert.equal(code, 1, output);
    assert.match(
      output,
      /^\d+ customers move to another shard while 1 are gone from the list \(tenant-0\)\./m,
    );
    assert.equal(emulator.requests.length, 0);
  });
});
