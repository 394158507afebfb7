import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  fails,
  isSecret,
  newWorld,
  requestsTo,
  succeeds,
  tokensOf,
  warningsOf,
  type Result,
} from "../engine/harness";
import { example } from "./example";
import { changedField } from "../harness/responseFaults";

const customers = readFileSync(resolve(__dirname, "../../examples/tenants/customers.csv"), "utf8");

describe("examples/tenants, from a file", () => {
  const world = newWorld(() => ({ program: example("tenants") }));
  const previewOf = async (file: string): Promise<Result> => {
    world.emulator.clearRequests();
    await world.stack.program({ "customers.csv": file });
    return world.stack.preview();
  };
  before(async () => {
    succeeds(await world.stack.up());
  });

  it("creates a group for each row, also for a row with quotes", () => {
    assert.equal(requestsTo(world.emulator).length, 4);
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
    assert.deepEqual([JSON.parse(String(document)), others], [tokensOf(world.emulator), {}]);
    const { outputs } = await world.stack.resource("tenants-dev");
    assert(isSecret(outputs["tokens"]));
  });

  it("names the line of a bad row, without a stack, and sends no request", async () => {
    const refused = await previewOf(customers.replace("us,10", "us,many"));
    fails(refused, /customers\.csv can't be used:\s+line 3: seats must be a number$/m);
    assert.deepEqual(requestsTo(world.emulator), []);
  });

  it("refuses a file in another encoding than UTF-8, and one with a column twice", async () => {
    const latin1 = Buffer.from(customers.replace("Globex, Inc.", "Gl\u00f6bex"), "latin1");
    await writeFile(join(world.stack.folder, "latin1.csv"), latin1);
    await world.stack.run(["config", "set", "file", "latin1.csv", "--stack", "dev"]);
    fails(await world.stack.preview(), /latin1\.csv can't be used:\s+it isn't UTF-8 text/);
    await world.stack.run(["config", "rm", "file", "--stack", "dev"]);
    const [header = "", ...lines] = customers.trim().split("\n");
    const doubled = [`${header},name`, ...lines.map((line) => `${line},Other`)].join("\n");
    fails(await previewOf(doubled), /customers\.csv can't be used:\s+it has two columns name/);
  });

  it("refuses a file that was cut short, in the preview already", async () => {
    const cutShort = customers.split("\n").slice(0, 2).join("\n");
    fails(await previewOf(cutShort), /would delete 3 user groups.*deletionLimit is 2.*\[deletion-limit\]/);
    const withoutRows = customers.split("\n").slice(0, 1).join("\n");
    fails(await previewOf(withoutRows), /customers\.csv can't be used:\s+it has no customers$/m);
    assert.deepEqual(requestsTo(world.emulator), []);
    assert.equal(world.emulator.groups.size, 4);
  });

  it("fails if the service returns an empty token, and then adopts the group with its token", async () => {
    await world.stack.program({ "customers.csv": `${customers}hooli,Hooli,shared-eu,eu,1\n` });
    world.emulator.fault(changedField("user_group.token", ""));
    fails(await world.stack.up(), /"hooli".*user_group\.token must not be empty/);
    const { tokens: former } = await world.stack.plainOutputs();
    assert(!String(former).includes('""'));
    assert.equal(warningsOf(succeeds(await world.stack.up())).length, 1);
    const { tokens } = await world.stack.plainOutputs();
    assert.deepEqual(JSON.parse(String(tokens)), tokensOf(world.emulator));
  });

  it("fails if a customer has no token, because the update left the groups out", async () => {
    await world.stack.program({
      "customers.csv": `${customers}hooli,Hooli,shared-eu,eu,1\nvandelay,Vandelay,shared-eu,eu,1\n`,
    });
    const { urn } = await world.stack.resource("tenants-dev");
    fails(await world.stack.up({ flags: ["--target", urn] }), /These customers have no token: vandelay$/m);
  });
});
