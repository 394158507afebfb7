// Copies README and LICENSE of the repository into the package, before it is packed.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "..");
const provider = join(repository, "provider");

const { repository: { url = "" } = {} } = JSON.parse(readFileSync(join(provider, "package.json"), "utf8"));
const readme = readFileSync(join(repository, "README.md"), "utf8");
write("README.md", url === "" ? readme : withLinksTo(webAddress(url), readme));
write("LICENSE", readFileSync(join(repository, "LICENSE"), "utf8"));

/** In one step, so that another process that packs at the same time reads a whole page. */
function write(name, text) {
  const draft = join(provider, `.${name}-${process.pid}`);
  writeFileSync(draft, text);
  renameSync(draft, join(provider, name));
}

/** The package holds nothing that the README's relative links lead to. */
function withLinksTo(address, markdown) {
  return markdown.replaceAll(
    /\]\((?!https?:|#)([^)]+)\)/g,
    (_link, path) => `](${address}/blob/HEAD/${path})`,
  );
}

function webAddress(gitUrl) {
  return gitUrl.replace(/^git\+/, "").replace(/\.git$/, "");
}
