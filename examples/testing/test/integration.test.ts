import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { startEmulator, type Emulator } from "pulumi-user-groups/testing";

/** Another name than that of any stack of yours, whose settings file lies in the same folder. */
const stackName = `test-${process.pid}`;

describe("the program", () => {
  let emulator: Emulator;
  let stack: Stack;
  let backend: string;

  before(async () => {
    emulator = await startEmulator();
    backend = await mkdtemp(join(tmpdir(), "backend-"));
    stack = await LocalWorkspace.createStack(
      { stackName, workDir: dirname(__dirname) },
      {
        envVars: {
          PULUMI_BACKEND_URL: pathToFileURL(backend).href,
          PULUMI_CONFIG_PASSPHRASE: "only for tests",
          USER_GROUPS_BASE_URL: emulator.baseUrl,
          USER_GROUPS_API_TOKEN: emulator.apiToken,
        },
      },
    );
  });

  after(async () => {
    await stack.workspace.removeStack(stackName, { force: true });
    await rm(backend, { recursive: true });
    await emulator.stop();
  });

  it("creates a group for each tenant, through an overloaded service", async () => {
    emulator.fault({ kind: "status", status: 503, retryAfter: 1, times: 2 });
    const { outputs } = await stack.up();
    assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex"]);
    assert.deepEqual(emulator.groups.get("acme")?.mapping, { sales: "acme-warehouse" });
    const { tokens = assert.fail() } = outputs;
    assert.equal(tokens.secret, true);
    assert.deepEqual(tokens.value, {
      acme: emulator.groups.get("acme")?.token,
      globex: emulator.groups.get("globex")?.token,
    });
  });

  it("has nothing to do the second time", async () => {
    const { summary } = await stack.up();
    assert.deepEqual(summary.resourceChanges, { same: 3 });
  });

  it("deletes every group with the stack", async () => {
    await stack.destroy();
    assert.equal(emulator.groups.size, 0);
  });
});
