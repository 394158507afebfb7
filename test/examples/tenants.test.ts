import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  fails,
  isSecret,
  newFixture,
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
  const fixture = newFixture(() => ({ program: example("tenants") }));
  const previewOf = async (file: string): Promise<Result> => {
    fixture.emulator.clearRequests();
    await fixture.stack.program({ "customers.csv": file });
    return fixture.stack.preview();
  };
  before(async () => {
    succeeds(await fixture.stack.up());
  });

  it("creates a group for each row, also for a row with quotes", () => {
    assert.equal(requestsTo(fixture.emulator).length, 4);
    assert.deepEqual([...fixture.emulator.groups.keys()].sort(), [
      "acme",
      "globex",
      "initech",
      "umbrella.example",
    ]);
    const { name, mapping, properties } = fixture.emulator.groups.get("globex") ?? {};
    assert.deepEqual(
      [name, mapping, properties],
      ["Globex, Inc.", { sales: "globex-warehouse" }, { region: "us", seats: 10 }],
    );
  });

  it("hands the tokens on as one secret document", async () => {
    const { tokens: document, ...others } = await fixture.stack.plainOutputs();
    assert.deepEqual([JSON.parse(String(document)), others], [tokensOf(fixture.emulator), {}]);
    const { outputs } = await fixture.stack.resource("tenants-dev");
    assert(isSecret(outputs["tokens"]));
  });

  it("names the line of a bad row, without a stack, and sends no request", async () => {
    const refused = await previewOf(customers.replace("us,10", "us,many"));
    fails(refused, /customers\.csv can't be used:\s+line 3: seats must be a number$/m);
    assert.deepEqual(requestsTo(fixture.emulator), []);
  });

  it("refuses a file in another encoding than UTF-8, and one with a column twice", async () => {
    const latin1 = Buffer.from(customers.replace("Globex, Inc.", "Gl\u00f6bex"), "latin1");
    await writeFile(join(fixture.stack.folder, "latin1.csv"), latin1);
    await fixture.stack.run(["config", "set", "file", "latin1.csv", "--stack", "dev"]);
    fails(await fixture.stack.preview(), /latin1\.csv can't be used:\s+it isn't UTF-8 text/);
    await fixture.stack.run(["config", "rm", "file", "--stack", "dev"]);
    const [header = "", ...lines] = customers.trim().split("\n");
    const doubled = [`${header},name`, ...lines.map((line) => `${line},Other`)].join("\n");
    fails(await previewOf(doubled), /customers\.csv can't be used:\s+it has two columns name/);
  });

  it("refuses a file that was cut short, in the preview already", async () => {
    const cutShort = customers.split("\n").slice(0, 2).join("\n");
    fails(await previewOf(cutShort), /would delete 3 user groups.*deletionLimit is 2.*\[deletion-limit\]/);
    const withoutRows = customers.split("\n").slice(0, 1).join("\n");
    fails(await previewOf(withoutRows), /customers\.csv can't be used:\s+it has no customers$/m);
    assert.deepEqual(requestsTo(fixture.emulator), []);
    assert.equal(fixture.emulator.groups.size, 4);
  });

  it("fails if the service returns an empty token, and then adopts the group with its token", async () => {
    await fixture.stack.program({ "customers.csv": `${customers}hooli,Hooli,shared-eu,eu,1\n` });
    fixture.emulator.fault(changedField("user_group.token", ""));
    fails(await fixture.stack.up(), /"hooli".*user_group\.token must not be empty/);
    const { tokens: former } = await fixture.stack.plainOutputs();
    assert(!String(former).includes('""'));
    assert.equal(warningsOf(succeeds(await fixture.stack.up())).length, 1);
    const { tokens } = await fixture.stack.plainOutputs();
    assert.deepEqual(JSON.parse(String(tokens)), tokensOf(fixture.emulator));
  });

  it("fails if a customer has no token, because the update left the groups out", async () => {
    await fixture.stack.program({
      "customers.csv": `${customers}hooli,Hooli,shared-eu,eu,1\nvandelay,Vandelay,shared-eu,eu,1\n`,
    });
    const { urn } = await fixture.stack.resource("tenants-dev");
    fails(await fixture.stack.up({ flags: ["--target", urn] }), /These customers have no token: vandelay$/m);
  });
});
