import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { z } from "zod";
import { schemaFile } from "../../release/schema/schemaFile";
import { repository, snippetsOf } from "./pages";

const entry = z.object({ repoSlug: z.string(), schemaFile: z.string() });
const schema = z.looseObject({ name: z.literal("user-groups"), version: z.undefined().optional() });

describe("the checklist for the Pulumi Registry", () => {
  it("names the committed schema, which has no version", () => {
    const [shown = ""] = snippetsOf("CONTRIBUTING.md", "json");
    const named = entry.parse(JSON.parse(shown)).schemaFile;
    assert.equal(named, relative(repository, schemaFile).replaceAll(sep, "/"));
    schema.parse(JSON.parse(readFileSync(join(repository, named), "utf8")));
  });

  for (const page of ["docs/_index.md", "docs/installation-configuration.md"])
    it(`names a page that is there, with a title: ${page}`, () => {
      assert.match(
        readFileSync(join(repository, page), "utf8"),
        /^---\ntitle: .+\nmeta_desc: .+\nlayout: package\n---\n/,
      );
    });
});
