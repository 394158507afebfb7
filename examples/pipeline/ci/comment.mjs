// The text of a comment that shows a preview, and the writing of it. The preview is what the code of a pull request
// printed, so that it may hold anything: it is shown as mere text, which no forge reads as markup, mention or command.

/** What tells our comment from others. It stands at its start, where only we write. */
export const marker = "<!-- pulumi preview -->";

/** In characters; the forges allow 65,536 and more. */
const longest = 60_000;

/** `head` is the commit that was previewed. */
export function commentOn(preview, { head, isDone }) {
  return [
    marker,
    `**Preview of ${head}**${isDone ? "" : ": it failed"}`,
    "",
    `<pre>${asText(preview)}</pre>`,
    "",
    "Made by this pull request's own code, without secrets: read it as its author's word.",
  ].join("\n");
}

/** All but letters, digits and harmless signs as numbers, which no forge takes for anything. */
function asText(preview) {
  let shown = "";
  for (const sign of preview) {
    const safe = /[\w\s.:,;()[\]{}"'=+~-]/.test(sign) ? sign : `&#${sign.codePointAt(0)};`;
    if (shown.length + safe.length > longest) return `${shown}\n[cut off]`;
    shown += safe;
  }
  return shown;
}

/** A forge's API: paths are relative to `base`, answers JSON. */
export function api(base, headers) {
  const request = async (path, init = {}) => {
    const response = await fetch(base + path, {
      ...init,
      headers: { ...headers, ...(init.body && { "content-type": "application/json" }) },
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok)
      throw new Error(`${init.method ?? "GET"} ${path} answered with status ${response.status}`);
    return response;
  };
  return {
    get: async (path) => (await request(path)).json(),
    text: async (path) => beginningOf(await request(path)),
    post: (path, body) => request(path, { method: "POST", body: JSON.stringify(body) }),
    patch: (path, body) => request(path, { method: "PATCH", body: JSON.stringify(body) }),
    put: (path, body) => request(path, { method: "PUT", body: JSON.stringify(body) }),
  };
}

/** What comes from a pull request may have any size. */
async function beginningOf({ body }) {
  let beginning = "";
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    beginning += part;
    if (beginning.length > longest) break;
  }
  return beginning;
}

/** All pages of a list, each of 100. */
export async function all(get, path) {
  const entries = [];
  for (let page = 1; ; page += 1) {
    const found = await get(`${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
    entries.push(...found);
    if (found.length < 100) return entries;
  }
}
