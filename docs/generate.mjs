// `npm run docs`: writes docs/reference from the doc comments. With --check it writes nothing, and fails where something would change.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { slug } from "github-slugger";
import { Application } from "typedoc";

const docs = dirname(fileURLToPath(import.meta.url));
const repository = dirname(docs);
const reference = join(docs, "reference");
const serviceInterface = readFileSync(join(docs, "service-interface.md"), "utf8");

const isCheck = process.argv.includes("--check");
const scratch = mkdtempSync(join(tmpdir(), "user-groups-docs-"));
try {
  const outdated = await outdatedReference();
  for (const { file, text } of isCheck ? [] : outdated) replace(file, text);
  if (isCheck && outdated.length > 0) {
    const files = outdated.map(({ file }) => file.slice(repository.length + 1)).join(", ");
    throw new Error(`Not as the code is: ${files}. Run npm run docs.`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}

/** Files of the reference, and the texts that they should have; undefined for those that shouldn't be there. */
async function outdatedReference() {
  const fresh = await newReference();
  const names = new Set([...textsIn(reference).keys(), ...fresh.keys()]);
  return [...names].flatMap((name) => outdated(join(reference, name), fresh.get(name)));
}

async function newReference() {
  const options = { options: repository, out: scratch, logLevel: "Warn" };
  const application = await Application.bootstrapWithPlugins(options);
  const project = await application.convert();
  if (project) await application.generateOutputs(project);
  if (!project || application.logger.hasErrors() || application.logger.hasWarnings())
    throw new Error("typedoc is not content with the doc comments.");
  return new Map([...textsIn(scratch)].map(([name, text]) => [name, withCitations(text)]));
}

/** Doc comments cite the service's interface by the headings of its document, some of which are numbered. */
function withCitations(page) {
  return page.replaceAll(/interface, section "([^"]+)"/g, (citation, section) => {
    const [, heading] = new RegExp(`^#+ ((?:\\d+\\. )?${section})$`, "m").exec(serviceInterface) ?? [];
    if (heading === undefined) throw new Error(`docs/service-interface.md has no section "${section}".`);
    return `[${citation}](../service-interface.md#${slug(heading)})`;
  });
}

/** The Markdown files of a folder by name. */
function textsIn(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

function outdated(file, text) {
  return currentText(file) === text ? [] : [{ file, text }];
}

function currentText(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  }
}

function replace(file, text) {
  if (text === undefined) rmSync(file);
  else writeFileSync(file, text);
}
