import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fails, isSecret, newFixture, requestsTo, succeeds, tokensOf } from "../engine/harness";
import { changedField } from "../harness/responseFaults";
import { example } from "./example";

const customers = readFileSync(resolve(__dirname, "../../examples/tenants/customers.csv"), "utf8");

describe("examples/tenants", () => {
  const fixture = newFixture(() => ({ program: example("tenants") }));
  const list = (file: string) => fixture.stack.program({ "customers.csv": file });
  const document = async () => JSON.parse(String((await fixture.stack.plainOutputs())["tokens"])) as unknown;
  before(async () => {
    succeeds(await fixture.stack.up());
  });

  it("creates a group for each row, and hands the tokens on as one secret document", async () => {
    const { emulator, stack } = fixture;
    assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex", "initech", "umbrella.example"]);
    const { name, mapping, properties } = emulator.groups.get("globex") ?? {};
    assert.deepEqual(
      [name, mapping, properties],
      ["Globex, Inc.", { sales: "globex-warehouse" }, { region: "us", seats: 10 }],
    );
    assert.deepEqual(await document(), tokensOf(emulator));
    assert(isSecret((await stack.resource("tenants-dev")).outputs["tokens"]));
  });

  it("refuses a bad row, a column that is there twice, and a list that was cut short, before any request", async () => {
    const { emulator, stack } = fixture;
    emulator.clearRequests();
    const [header = "", ...rows] = customers.trim().split("\n");
    for (const [file, error] of [
      [
        customers.replace("us,10", "us,many"),
        /customers\.csv can't be used:\s+line 3: seats must be a number$/m,
      ],
      [
        [`${header},name`, ...rows.map((row) => `${row},Other`)].join("\n"),
        /customers\.csv can't be used:\s+it has two columns name/,
      ],
      [[header, rows[0]].join("\n"), /would delete 3 user groups.*deletionLimit is 2.*\[deletion-limit\]/],
      [header, /customers\.csv can't be used:\s+it has no customers$/m],
    ] as const) {
      await list(file);
      fails(await stack.preview(), error);
    }
    assert.deepEqual(requestsTo(emulator), []);
  });

  it("hands no token on after an up that failed, nor without the token of each customer", async () => {
    const { emulator, stack } = fixture;
    await list(`${customers}hooli,Hooli,shared-eu,eu,1\n`);
    emulator.fault(changedField("user_group.token", ""));
    fails(await stack.up(), /"hooli".*user_group\.token must not be empty/);
    succeeds(await stack.up());
    assert.deepEqual(await document(), tokensOf(emulator));
    await list(`${customers}hooli,Hooli,shared-eu,eu,1\nvandelay,Vandelay,shared-eu,eu,1\n`);
    const { urn } = await stack.resource("tenants-dev");
    fails(await stack.up({ flags: ["--target", urn] }), /These customers have no token: vandelay$/m);
  });
});
