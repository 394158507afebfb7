import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { customersInFile } from "../../../examples/tenants/file";

const head = "id,name,warehouse,region,seats";

describe("the customers of examples/tenants", () => {
  const customersOf = (...lines: string[]) => {
    const folder = mkdtempSync(join(tmpdir(), "user-groups-"));
    const file = join(folder, "customers.csv");
    writeFileSync(file, lines.join("\n"));
    try {
      return customersInFile(file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const flawsOf = (...lines: string[]): string[] => {
    try {
      customersOf(...lines);
    } catch (error) {
      return error instanceof Error ? error.message.split("\n  ").slice(1) : [];
    }
    return [];
  };

  it("are read whatever a spreadsheet does to the file", () => {
    const lines = [
      "\ufeffname, id ,seats,region,warehouse\r",
      '"Acme, ""the"" one",acme , 3,eu,shared\r',
      "\r",
    ];
    assert.deepEqual(customersOf(...lines), [
      { id: "acme", name: 'Acme, "the" one', seats: 3, region: "eu", warehouse: "shared" },
    ]);
  });

  it("are refused with the line on which each bad row begins", () => {
    const lines = [
      "acme,Acme,shared,eu,1",
      'hooli,"Ho\nli",shared,asia,many',
      "",
      "Big,,shared,eu,0.5",
      "acme,Again,shared,eu,1",
    ];
    assert.deepEqual(flawsOf(head, ...lines), [
      'line 3: region must be "eu" or "us"',
      "line 3: seats must be a number",
      "line 6: id must be lower-case letters, digits, dots and hyphens",
      "line 6: name must not be empty",
      "line 6: seats must be a whole number",
      'line 7: another row has the id "acme" too',
    ]);
  });

  it("are refused where a column is missing or unknown, or a row too long", () => {
    const issues = flawsOf("id,name,warehouse,region,seat", "acme,Acme,shared,eu,1");
    assert.deepEqual(issues, ["line 2: seats must be a number", "line 2: unknown column seat"]);
    assert.match(flawsOf(head, "acme,Acme,shared,eu,1,more").join("\n"), /line 2/);
  });

  it("are refused with ten flaws of many, and how many more there are", () => {
    const flaws = flawsOf(head, ...Array.from({ length: 15 }, (_, n) => `t${n},Tenant,shared,mars,1`));
    assert.equal(flaws.length, 11);
    assert.equal(flaws[10], "and 5 more");
  });
});
