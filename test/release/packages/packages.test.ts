/** The packed package, installed by each package manager. */
import assert from "node:assert/strict";
import { emulatorTest } from "../../support/harness/emulatorTest";
import { succeeds } from "../../support/harness/run";
import { install, oldNode, type Row } from "./installation";
import { packProvider, type Tarball } from "./tarball";

/** The list of docs/compatibility.md. SDKs from 3.249 need Node.js 22. */
const rows: readonly Row[] = [
  { program: "TypeScript, CommonJS", manager: "npm", from: "git", sdk: "3.248.0" },
  { program: "TypeScript, ESM", manager: "npm", sdk: "3.248.0" },
  { program: "JavaScript, CommonJS", manager: "npm", sdk: "3.146.0" },
  { program: "JavaScript, ESM", manager: "npm", sdk: "3.216.0" },
  { program: "precompiled", manager: "npm", sdk: "3.248.0", node: "20.19.0" },
  { program: "TypeScript, CommonJS", manager: "pnpm", sdk: "3.216.0" },
  { program: "JavaScript, ESM", manager: "pnpm", from: "git", sdk: "3.248.0" },
  { program: "TypeScript, CommonJS", manager: "Yarn", sdk: "3.146.0" },
  { program: "JavaScript, CommonJS", manager: "Yarn, Plug'n'Play", sdk: "3.248.0" },
  { program: "TypeScript, CommonJS", manager: "Bun", sdk: "3.248.0" },
  { program: "JavaScript, CommonJS", manager: "npm", sdk: "latest", node: "22.23.3" },
  { program: "TypeScript, CommonJS", manager: "npm", sdk: "latest", node: "24.21.0" },
  { program: "JavaScript, ESM", manager: "npm", sdk: "latest", node: "26.10.0" },
];

describe("the packed package", () => {
  let tarball: Tarball;
  before(async () => {
    tarball = await packProvider();
  });
  after(() => tarball.remove());

  for (const row of rows) {
    const { program, manager, from = "a tarball", sdk, node = oldNode } = row;
    const title = `${program}, by ${manager} from ${from}, with SDK ${sdk} on Node.js ${node}`;
    emulatorTest(`creates, keeps and deletes from ${title}`, {}, async (emulator) => {
      const stack = await install(row, tarball.file, emulator);
      try {
        succeeds(await stack.run(["stack", "init", "dev"]));
        assert.deepEqual(succeeds(await stack.up()).changes, { create: 3 });
        assert.equal(emulator.groups.size, 2);
        assert.deepEqual(succeeds(await stack.up()).changes, { same: 3 });
        succeeds(await stack.destroy());
        assert.equal(emulator.groups.size, 0);
      } finally {
        await stack.remove();
      }
    });
  }
});
