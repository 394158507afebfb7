// Copies README and LICENSE of the repository into the package, before it is packed.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "..");
const provider = join(repository, "provider");

const { repository: { url = "" } = {} } = JSON.parse(readFileSync(join(provider, "package.json"), "utf8"));
const readme = readFileSync(join(repository, "README.md"), "utf8");
writeFileSync(join(provider, "README.md"), url === "" ? readme : withLinksTo(webAddress(url), readme));
copyFileSync(join(repository, "LICENSE"), join(provider, "LICENSE"));

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
