import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fails, isSecret, newFixture, succeeds, tokensOf } from "../engine/harness";
import { changedField } from "../harness/responseFaults";
import { example } from "./example";

const customers = readFileSync(resolve(__dirname, "../../examples/tenants/customers.csv"), "utf8");

describe("examples/tenants", () => {
  const fixture = newFixture(() => ({ program: example("tenants") }));
  const list = (file: string) => fixture.stack.program({ "customers.csv": file });
  const document = async () => JSON.parse(String((await fixture.stack.plainOutputs())["tokens"])) as unknown;

  it("creates a group for each row, and hands the tokens on as one secret document", async () => {
    const { emulator, stack } = fixture;
    succeeds(await stack.up());
    assert.deepEqual([...emulator.groups.keys()].sort(), ["acme", "globex", "initech", "umbrella.example"]);
    assert.deepEqual(await document(), tokensOf(emulator));
    assert(isSecret((await stack.resource("tenants-dev")).outputs["tokens"]));
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
    succeeds(await stack.run(["state", "unprotect", "--all", "--yes", "--stack", "dev"]));
    succeeds(await stack.destroy());
    assert.equal(emulator.groups.size, 0);
  });
});
