import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { succeeds } from "../engine/harness";
import { install } from "./installation";
import { rows } from "./rows";
import { packProvider, type Tarball } from "./tarball";
import { writeTable, type Passed } from "./table";

describe("the packed package", () => {
  let tarball: Tarball;
  let emulator: Emulator;
  const passed: Passed[] = [];

  before(async () => {
    tarball = await packProvider();
  });

  beforeEach(async () => {
    emulator = await startEmulator();
  });

  afterEach(async () => {
    await emulator.stop();
  });

  after(async () => {
    await tarball.remove();
    await writeTable(passed);
  });

  for (const row of rows) {
    const { program, manager, from = "a tarball", sdk, node = "of the tests" } = row;
    it(`creates, keeps and deletes from ${program}, by ${manager} from ${from}, with SDK ${sdk} on Node.js ${node}`, async () => {
      const installed = await install(row, tarball.file, emulator);
      try {
        succeeds(await installed.pulumi("stack", "init", "dev"));
        const up = succeeds(await installed.pulumi("up", "--yes", "--skip-preview"));
        assert.match(up.stdout, /\+ 3 created/);
        assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex", "initech"]);
        const again = succeeds(await installed.pulumi("up", "--yes", "--skip-preview"));
        assert.match(again.stdout, /3 unchanged/);
        succeeds(await installed.pulumi("destroy", "--yes", "--skip-preview"));
        assert.equal(emulator.groups.size, 0);
        passed.push({ ...row, version: installed.sdk });
      } finally {
        await installed.remove();
      }
    });
  }
});
