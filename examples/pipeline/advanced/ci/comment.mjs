// Prints the comment that shows a preview. Usage: node ci/comment.mjs <commit> <conclusion> < preview.txt
//
// The preview is output of the pull request's code, so it can contain anything. The comment shows it as mere text: no forge
// reads markup, a mention or a command in it.

/** In characters. The forges allow 65,536 and more. */
const longest = 60_000;

const [commit, conclusion] = process.argv.slice(2);
// comment-github.sh and comment-gitlab.sh find the comment by its first line.
console.log(`<!-- pulumi preview -->
**Preview of ${commit}**${conclusion === "success" ? "" : ": it failed"}

<pre>${asText(await beginningOf(process.stdin))}</pre>

Made by this pull request's own code, without secrets: read it as its author's word.`);

/** A preview can have any size. Reads all of it, so that its writer never meets a closed pipe. */
async function beginningOf(stream) {
  let beginning = "";
  for await (const part of stream.setEncoding("utf8")) {
    if (beginning.length <= longest) beginning += part;
  }
  return beginning;
}

/** Writes all characters as numbers, except letters, digits and harmless signs. */
function asText(preview) {
  let shown = "";
  for (const sign of preview) {
    const safe = /[\w\s.:,;()[\]{}"'=+~-]/.test(sign) ? sign : `&#${sign.codePointAt(0)};`;
    if (shown.length + safe.length > longest) return `${shown}\n[cut off]`;
    shown += safe;
  }
  return shown;
}
