/** The pages' links, and what they say of the code, which generates some of it. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import manifest from "../../package.json";
import { warningNames, warningOf } from "../../provider/core/messages/warnings";
import { userGroupState, userGroupsState } from "../../provider/core/state/shapes";
import { catalogue, errorCodes } from "../../provider/messages/catalogue";
import schema from "../../provider/adapters/plugin/schema.json";
import { isRetryableStatus } from "../../provider/service/http/transportError";
import { registryPages } from "../../tools/release/registry/pages";
import { startProviders, type Kind } from "../support/harness/product";
import { run, succeeds } from "../support/harness/run";
import { pages, repository, snippetsOf, type Page } from "./pages";

const lines = pages.flatMap(({ snippets }) => snippets.flatMap(({ text }) => text.split("\n")));

describe("the pages", () => {
  it("have the generated parts that the code gives", async () => {
    const args = ["--require", "ts-node/register", "tools/docs/main.ts", "--check"];
    succeeds(await run(process.execPath, args, { cwd: repository }));
  });

  it("have links that lead somewhere", () => {
    for (const page of pages) {
      const broken = page.links.filter((link) => !leadsSomewhere(page, link));
      assert.deepEqual(broken, [], page.file);
    }
  });

  it("have links to every page of docs/, from the README on", () => {
    const reached = new Set(["README.md"]);
    for (const file of reached)
      for (const link of pages.find((page) => page.file === file)?.links ?? [])
        reached.add(target(file, link));
    const files = pages.map(({ file }) => file).filter((file) => file.startsWith("docs/"));
    const homePage = "docs/index.md";
    assert.deepEqual(
      files.filter((file) => !reached.has(file)),
      [homePage],
    );
  });

  it("show one first program, which is that of the quickstart", () => {
    const program = textOf("examples/quickstart/index.ts").trim();
    assert.equal(snippetsOf("README.md", "ts")[0], program);
    assert.equal(snippetsOf("docs/guide.md", "ts")[0], program);
    const withPlugin = program.replace('"pulumi-user-groups"', '"pulumi-user-groups/plugin"');
    assert.equal(snippetsOf("docs/plugin.md", "ts")[0], withPlugin);
  });

  it("run the package's commands with npx --no, as all files do: npx would run what anybody published by that name", async () => {
    const grep = (text: string) => run("git", ["grep", "--fixed-strings", "-l", text], { cwd: repository });
    assert.equal((await grep(["npx", "pulumi-user-groups"].join(" "))).stdout, "");
    assert.match((await grep("npx --no pulumi-user-groups ")).stdout, /^README\.md$/m);
  });

  it("install the SDK that runs on every supported Node.js, and the engine that a clone can build", () => {
    const sdk = `@pulumi/pulumi@${manifest.devDependencies["@pulumi/pulumi"]}`;
    const installing = lines.filter((line) => /npm install .*@pulumi\/pulumi/.test(line));
    assert(installing.length > 0);
    for (const line of installing) assert(line.includes(sdk), line);
    const [install = ""] = snippetsOf("docs/guide.md", "sh");
    assert(install.includes(`pulumi@${manifest.devDependencies.pulumi} `), install);
  });

  it("have the same figures in the README as on the page that a figure is from", () => {
    const readme = textOf("README.md");
    assert.match(readme, new RegExp(`\\b${errorCodes.length} errors\\b`));
    const [up = 0, preview = 0] = [...textOf("docs/scale.md").matchAll(/([\d.]+) s for/g)].map(([, value]) =>
      Number(value),
    );
    const figures = `a preview takes ${Math.round(preview)} s, the \`up\` after it ${Math.round(up)} s`;
    assert(readme.includes(figures), figures);
  });

  it("show warnings as they are printed", async () => {
    const samples = lines.flatMap((line) => /^\s*warning: (user group.*)$/.exec(line)?.[1] ?? []);
    assert(samples.length > 0);
    const texts = warningNames.map((name) => warningOf(name, [{ userGroupId: "acme" }]));
    const printed = new Set<string>([...texts, ...(await warningsOfPreviews())]);
    for (const sample of samples) assert(printed.has(sample), sample);
  });

  it("name every argument of a provider, as a secret if it is one", () => {
    const page = textOf("docs/plugin.md");
    for (const [name, setting] of Object.entries(schema.provider.inputProperties))
      assert(page.includes(`\`${name}\`${"secret" in setting ? " (secret)" : ""}`), name);
  });

  it("of the Pulumi Registry have the install line, and every setting", () => {
    const { "installation-configuration.md": page = "", "_index.md": index = "" } = registryPages();
    const [, line = ""] = snippetsOf("docs/plugin.md", "sh");
    assert(line.includes("--server") && page.includes(line), line);
    for (const name of Object.keys(schema.config.variables)) assert(page.includes(`:${name}\``), name);
    assert(index.includes("new UserGroup("));
  });

  it("name the fields of a group in a UserGroups, and the arguments that hold for all", () => {
    const page = textOf("docs/reference.md");
    const { inputProperties: ofOne } = schema.resources["user-groups:index:UserGroup"];
    const { inputProperties: ofMany } = schema.resources["user-groups:index:UserGroups"];
    const shared = Object.keys(ofOne).filter((name) => name in ofMany);
    assert.deepEqual(codesIn(/^.*(?= hold for all groups)/m.exec(page)), shared);
    const fields = Object.keys(schema.types["user-groups:index:Group"].properties);
    assert.deepEqual(codesIn(/(?<=has the fields ).*?\./.exec(page)), fields);
  });

  it("for programs name every error by its code or the beginning of it, and no other", () => {
    const [, families = ""] = textOf("llms.txt").split("## Codes");
    const named = [...families.matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name);
    const isNamed = (code: string) =>
      named.some((name) => (name.endsWith("-") ? code.startsWith(name) : code === name));
    assert.deepEqual(
      errorCodes.filter((code) => !isNamed(code)),
      [],
    );
    const codes = Object.keys(catalogue);
    assert.deepEqual(
      named.filter((name) => !codes.some((code) => code.startsWith(name))),
      [],
    );
  });

  it("name the statuses that are repeated", () => {
    const all = Array.from({ length: 200 }, (_, n) => 400 + n);
    const repeated = all.filter((status) => status < 500 && isRetryableStatus(status)).join(", ");
    const final = all.filter((status) => status >= 500 && !isRetryableStatus(status)).join(" and ");
    const sentence = `repeats a request after a status ${repeated} or 5xx (except ${final})`;
    assert(textOf("docs/service-interface.md").includes(sentence), sentence);
  });

  it("name each output that a state has", () => {
    const named = ["docs/security.md", "docs/reference.md"];
    const text = named.map(textOf).join();
    for (const { shape } of [userGroupState, userGroupsState])
      for (const name of Object.keys(shape)) assert(text.includes(`\`${name}\``), name);
  });

  it("have the rows of both tables, each of which has a break", () => {
    const tables = ["creation/createGroup", "deletion/deleteTable"].map((name) =>
      textOf(`provider/core/${name}.ts`),
    );
    const rowsIn = (text: string, row: RegExp) => [
      ...new Set([...text.matchAll(row)].map(([, name]) => name)),
    ];
    const rows = rowsIn(tables.join(), /\brow(?::| =) "([^"]+)"/g).sort();
    assert.deepEqual(rowsIn(textOf("docs/architecture.md"), /^\| `([^`]+)`/gm).sort(), rows);
    assert.deepEqual(rowsIn(textOf("test/release/breaks/breaks.txt"), /^ {2}row "([^"]+)"/gm).sort(), rows);
  });

  it("name files that exist", () => {
    const sources = /`((?:\w+\/)+[\w.]+\.(?:ts|txt|md))`/g;
    const named = [...textOf("docs/architecture.md").matchAll(sources)];
    assert(named.length > 0);
    for (const [, path = ""] of named) {
      const isOfProvider = !/^(?:docs|test|tools)\//.test(path);
      assert(existsSync(join(repository, isOfProvider ? "provider" : "", path)), path);
    }
  });
});

/** The names in backquotes. */
function codesIn(match: RegExpExecArray | null): string[] {
  return [...(match?.[0] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

/** Those of the changes that the pages have as samples. */
async function warningsOfPreviews(): Promise<string[]> {
  const printed: string[] = [];
  const baseUrl = "https://analytics.example.com";
  const onLine = (line: string) => void printed.push(line.replace("warning: ", ""));
  const preview = async (kind: Kind, id: string, olds: object, news: object) => {
    const provider = startProviders({ settings: { baseUrl }, onLine })[kind];
    const inputs = { ...news, __resource: id };
    await provider.check({}, inputs);
    await provider.diff(id, { ...olds, baseUrl }, inputs);
  };
  const one = { userGroupId: "globex", name: "Globex", overlap: true };
  const state = { ...one, token: "t", adopted: false, providedId: "globex~12345678" };
  await preview("userGroup", "globex", state, { ...one, name: "Globex Corporation" });
  const name = "Customer";
  const groups = { acme: { name }, globex: { name }, hooli: { name } };
  const tokens = { acme: "1", globex: "2", hooli: "3" };
  const wanted = { acme: { name }, globex: { name: "Globex" }, initech: { name }, umbrella: { name } };
  await preview("userGroups", "customers", { groups, tokens }, { groups: wanted });
  return printed;
}

function textOf(file: string): string {
  return readFileSync(join(repository, file), "utf8");
}

/** The web isn't asked: only its addresses' form is looked at. */
function leadsSomewhere({ file }: Page, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return link.startsWith("https://") && URL.canParse(link);
  const path = target(file, link);
  const anchor = link.split("#")[1];
  const anchors = pages.find((page) => page.file === path)?.anchors;
  return existsSync(join(repository, path)) && (anchor === undefined || anchors?.has(anchor) === true);
}

/** The file that a relative link leads to; a folder's slash is dropped. */
function target(file: string, link: string): string {
  const path = link.split("#")[0] ?? "";
  return path === "" ? file : posix.join(dirname(file), path).replace(/\/$/, "");
}
