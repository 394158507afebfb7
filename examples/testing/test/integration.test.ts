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
  it("creates a group for each tenant, through an overloaded service, and deletes them with the stack", () =>
    withStack(async (stack, emulator) => {
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
      const { summary } = await stack.up();
      assert.deepEqual(summary.resourceChanges, { same: 3 });
      await stack.destroy();
      assert.equal(emulator.groups.size, 0);
    }));
});

/** Runs a test with a stack, a state and a service of its own. Cleans up whatever fails. */
async function withStack(test: (stack: Stack, emulator: Emulator) => Promise<void>): Promise<void> {
  const emulator = await startEmulator();
  const backend = await mkdtemp(join(tmpdir(), "backend-"));
  try {
    const envVars = {
      PULUMI_BACKEND_URL: pathToFileURL(backend).href,
      PULUMI_CONFIG_PASSPHRASE: "only for tests",
      USER_GROUPS_BASE_URL: emulator.baseUrl,
      USER_GROUPS_API_TOKEN: emulator.apiToken,
    };
    const stack = await LocalWorkspace.createStack({ stackName, workDir: dirname(__dirname) }, { envVars });
    try {
      await test(stack, emulator);
    } finally {
      await stack.workspace.removeStack(stackName, { force: true });
    }
  } finally {
    await rm(backend, { recursive: true });
    await emulator.stop();
  }
}
