import assert from "node:assert/strict";
import { inProgram } from "../unit/cli/doctorProgram";
import { pageAt, snippets } from "./pages";

const page = "docs/command-line.md";

describe(page, () => {
  it(
    "shows what the command prints",
    inProgram(async ({ emulator, environment, run, write }) => {
      delete environment["USER_GROUPS_BASE_URL"];
      delete environment["USER_GROUPS_API_TOKEN"];
      await write({ "Pulumi.production.yaml": `config:\n  user-groups:baseUrl: ${emulator.baseUrl}\n` });
      const { code, out } = await run();
      const printed = snippets.find((snippet) => snippet.page === page && snippet.language === "text");
      assert.equal(code, 1);
      assert.equal(withoutVersions(out), withoutVersions(printed?.text ?? ""));
    }),
  );

  it(
    "lists every check",
    inProgram(async ({ examine }) => {
      const { findings } = await examine();
      const listed = pageAt(page).tables[1]?.map(([cell = ""]) => cell.replaceAll("`", ""));
      assert.deepEqual(listed, Object.keys(findings));
    }),
  );
});

/** The page shows a service of https, and the versions of a day. */
function withoutVersions(text: string): string {
  return text.trim().replaceAll(/\d+\.\d+\.\d+|TLSv1\.3|no TLS/g, "…");
}
