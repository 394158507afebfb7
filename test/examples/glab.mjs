// Stands for `glab api`, GitLab's command, which CI can't install. It takes the flags that the pipeline uses, fails on all
// others, and handles them as the documentation of `glab api` says. It speaks to GITLAB_HOST with GITLAB_TOKEN.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { GITLAB_HOST, GITLAB_TOKEN } = process.env;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    paginate: { type: "boolean", default: false },
    silent: { type: "boolean", default: false },
    method: { type: "string", short: "X" },
    field: { type: "string", short: "F", multiple: true, default: [] },
  },
});
const [command, path, ...rest] = positionals;
if (command !== "api" || path === undefined || rest.length > 0 || !GITLAB_TOKEN)
  throw new Error("Usage: GITLAB_TOKEN=… glab api <path> [flags]");

const fields = Object.fromEntries(values.field.map(fieldIn));
const hasFields = values.field.length > 0;
const method = values.method ?? (hasFields ? "POST" : "GET");
if ((hasFields && method === "GET") || (values.paginate && method !== "GET"))
  throw new Error("The pipeline has no use for this");

let url = `${GITLAB_HOST}/api/v4/${path}`;
if (values.paginate) url += `${path.includes("?") ? "&" : "?"}per_page=100`;
while (url !== undefined) {
  const response = await fetch(url, {
    method,
    headers: { "private-token": GITLAB_TOKEN, ...(hasFields && { "content-type": "application/json" }) },
    ...(hasFields && { body: JSON.stringify(fields) }),
  });
  const text = await response.text();
  if (!values.silent) process.stdout.write(text);
  if (!response.ok) {
    console.error(`glab: HTTP ${response.status}`);
    process.exitCode = 1;
    break;
  }
  const [, next] = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "") ?? [];
  url = values.paginate ? next : undefined;
}

function fieldIn(text) {
  const [, name, value] = /^(\w+)=@(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new Error("The pipeline reads every field from a file");
  return [name, readFileSync(value, "utf8")];
}
