/** Statements of the pages that were untrue once, against what they are about. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  previewWarnings,
  warningOf,
  warnings,
  type Warning,
} from "../../provider/src/core/messages/warnings";
import { errorCodes } from "../../provider/src/errors";
import manifest from "../../package.json";
import { pageAt, pages, repository, snippetsOf } from "./pages";

const written = pages.filter(({ file }) => !file.startsWith("docs/reference/"));

function textOf(file: string): string {
  return readFileSync(join(repository, file), "utf8");
}

describe("statements of the pages", () => {
  it("show one first program, which is that of the quickstart", () => {
    const program = textOf("examples/quickstart/index.ts").trim();
    assert.equal(snippetsOf("README.md", "ts")[0], program);
    assert.equal(snippetsOf("docs/getting-started.md", "ts")[0], program);
    const withPlugin = program.replace('"pulumi-user-groups"', '"pulumi-user-groups/plugin"');
    assert.equal(snippetsOf("docs/languages.md", "ts")[0], withPlugin);
  });

  it("install an SDK that runs on every supported Node.js", () => {
    const version = manifest.devDependencies["@pulumi/pulumi"];
    const commands = written.flatMap(({ snippets }) => snippets.flatMap(({ text }) => text.split("\n")));
    const installing = commands.filter((line) => /npm install .*@pulumi\/pulumi/.test(line));
    assert(installing.length > 0);
    for (const command of installing) assert(command.includes(`@pulumi/pulumi@${version}`), command);
  });

  it("install the engine that a clone can build", () => {
    const [install = ""] = snippetsOf("docs/getting-started.md", "sh");
    assert(install.includes(`pulumi@${manifest.devDependencies.pulumi} `), install);
  });

  it("count the lines for the plugin, the errors and the figures as they are", () => {
    const [lines = ""] = snippetsOf("docs/languages.md", "yaml");
    assert.equal(lines.split("\n").length, 4);
    const readme = textOf("README.md");
    assert.match(readme, new RegExp(`\\b${errorCodes.length} errors\\b`));
    const [up = 0, preview = 0] = [...textOf("docs/performance.md").matchAll(/([\d.]+) s for/g)].map(
      ([, value]) => Number(value),
    );
    assert(readme.includes(`\`up\` in ${Math.round(up)} s, a preview in ${Math.round(preview)} s`), "README");
    const [, without, withOverlap] =
      /([\d]+ of [\d]+) loads were blank; with it, (\d+ of \d+)/.exec(textOf("docs/changes.md")) ?? [];
    for (const figure of [without, withOverlap]) assert(readme.includes(figure ?? "a figure"), figure);
  });

  it("say of a preview without requests that it looks up no group", () => {
    const claims = written.flatMap(({ file }) =>
      textOf(file)
        .split(/\n(?=\n|[|>]| {4})/)
        .filter((part) => /preview`?( of declared groups)?[ |]+(sends|makes) no request/i.test(part)),
    );
    assert(claims.length > 2);
    for (const claim of claims) assert.match(claim, /lookup|declared groups/);
  });

  it("show warnings as they are printed", () => {
    const lines = written.flatMap(({ snippets }) => snippets.flatMap(({ text }) => text.split("\n")));
    const samples = lines.flatMap((line) => /^\s*warning: (user group.*)$/.exec(line)?.[1] ?? []);
    assert(samples.length > 0);
    const isWarning = (name: string): name is Warning => name in warnings;
    const texts = Object.keys(warnings)
      .filter(isWarning)
      .map((name) => warningOf(name, [{ userGroupId: "acme" }]));
    const codes = new Set<string | undefined>(previewWarnings);
    for (const sample of samples)
      assert(texts.some((text) => text === sample) || codes.has(/ \[([a-z-]+)\]$/.exec(sample)?.[1]), sample);
  });

  it("name files that exist", () => {
    for (const { file } of written.filter((page) => /^docs\/[a-z-]+\.md$/.test(page.file)))
      for (const [, path = ""] of textOf(file).matchAll(/`((?:bench|engine|release|test)\/[\w./-]+\.\w+)`/g))
        assert.doesNotThrow(() => textOf(path), `${file}: ${path}`);
    const sources = /`((?:adapter|cli|core|dynamic|plugin|resources|service|settings|testing)\/[\w/]+\.ts)`/g;
    for (const [, path = ""] of textOf("docs/architecture.md").matchAll(sources))
      assert.doesNotThrow(() => textOf(`provider/src/${path}`), path);
  });

  it("use one word for one thing", () => {
    const others = [/three lines/i, /\bhand(s|ed|ing)?( \w+){0,3} on\b/i, /some hundred/i, /belongs? into/i];
    for (const { file } of [...written, pageAt("docs/reference/user-group.md")])
      for (const other of others) assert.doesNotMatch(textOf(file), other, file);
  });
});
