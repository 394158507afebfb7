import assert from "node:assert/strict";
import { rows } from "../packages/rows";
import { cellsOf } from "../packages/table";
import { pageAt } from "./pages";

describe("docs/compatibility.md", () => {
  it("lists what npm run test:packages runs, as that wrote it", () => {
    const [written = []] = pageAt("docs/compatibility.md").tables;
    assert.deepEqual(
      written.map((cells) => cells.map((cell) => cell.replace(/^\d[\d.]* \(newest\)$/, "newest"))),
      rows.map((row) => cellsOf(row, "newest").map((cell) => cell.replace(/^newest .*/, "newest"))),
    );
  });
});
