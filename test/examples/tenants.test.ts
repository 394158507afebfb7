import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fails, isSecret, newWorld, requestsTo, succeeds, type Result } from "../engine/harness";

const folder = resolve(__dirname, "../../examples/tenants");
const files = ["Pulumi.yaml", "package.json", "index.ts", "customers.ts", "customers.csv"];
const read = (file: string) => readFileSync(join(folder, file), "utf8");

describe("examples/tenants", () => {
  const world = newWorld(() => ({ program: Object.fromEntries(files.map((file) => [file, read(file)])) }));
  const tokens = () =>
    Object.fromEntries([...world.emulator.groups.values()].map((g) => [g.userGroupId, g.token]));
  const previewOf = async (customers: string): Promise<Result> => {
    world.emulator.clearRequests();
    await world.stack.program({ "customers.csv": customers });
    return world.stack.preview();
  };
  before(async () => {
    succeeds(await world.stack.up());
  });

  it("makes a group of each row, whatever the row quotes", () => {
    assert.deepEqual(requestsTo(world.emulator).length, 4);
    assert.deepEqual([...world.emulator.groups.keys()].sort(), [
      "acme",
      "globex",
      "initech",
      "umbrella.example",
    ]);
    const { name, mapping, properties } = world.emulator.groups.get("globex") ?? {};
    assert.deepEqual(
      [name, mapping, properties],
      ["Globex, Inc.", { sales: "globex-warehouse" }, { region: "us", seats: 10 }],
    );
  });

  it("hands the tokens on as one secret document", async () => {
    const { tokens: document, ...others } = await world.stack.plainOutputs();
    assert.deepEqual([JSON.parse(String(document)), others], [tokens(), {}]);
    const { outputs: recorded } = await world.stack.resource("tenants-dev");
    assert(isSecret(recorded["tokens"]));
  });

  it("names the line of a bad row, without a stack, and asks the service nothing", async () => {
    const refused = await previewOf(read("customers.csv").replace("us,10", "us,many"));
    fails(refused, /customers\.csv can't be used:\s+line 3: seats must be a number$/m);
    assert.deepEqual(requestsTo(world.emulator), []);
  });

  it("refuses a file in another encoding than UTF-8, and one with a column twice", async () => {
    const customers = read("customers.csv");
    const latin1 = Buffer.from(customers.replace("Globex, Inc.", "Gl\u00f6bex"), "latin1");
    await writeFile(join(world.stack.folder, "latin1.csv"), latin1);
    await world.stack.run(["config", "set", "file", "latin1.csv", "--stack", "dev"]);
    fails(await world.stack.preview(), /latin1\.csv can't be used:\s+it isn't UTF-8 text/);
    await world.stack.run(["config", "rm", "file", "--stack", "dev"]);
    const [header = "", ...lines] = customers.trim().split("\n");
    const doubled = [`${header},name`, ...lines.map((line) => `${line},Other`)].join("\n");
    fails(await previewOf(doubled), /customers\.csv can't be used:\s+the column name stands there twice/);
  });

  it("refuses a file that was cut short, in the preview already", async () => {
    const cutShort = read("customers.csv").split("\n").slice(0, 2).join("\n");
    fails(await previewOf(cutShort), /would delete 3 user groups.*deletionLimit is 2.*\[deletion-limit\]/);
    assert.deepEqual(requestsTo(world.emulator), []);
    assert.equal(world.emulator.groups.size, 4);
  });
});
