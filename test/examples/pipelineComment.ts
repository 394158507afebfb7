import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startForge, type Forge } from "./forge";
import { command, type Ended } from "./workflowRunner";

export const marker = "<!-- pulumi preview -->";

/** A preview that tries everything that a forge might read. */
export const hostile =
  "/close\n</pre>@everyone <img src=x> [a](b) &lt; ```\n\u001b[31m# x | *b* _c_ !1 #2 $a$ é😀";

/** Stands for a comment that wasn't written. */
export const newerBody = { request: "none", body: "" };

/** Nothing between the tags can be markup, a mention or a command. */
export function assertMereText(body: string): void {
  const [, shown = ""] = /<pre>([^]*)<\/pre>\n\nMade by[^<]*$/.exec(body) ?? [];
  assert(shown.includes("everyone"), body);
  assert.doesNotMatch(shown, /[<>@`*|!$#\u001b](?!\d+;)|^\s*\//m);
  assert.equal(
    shown.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    hostile,
  );
}

/** Gives each test of a suite a folder, and one forge at a time. To be called in `describe`. */
export function useForge() {
  let folder = "";
  let forge: Forge | undefined;
  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), "user-groups-comment-"));
  });
  afterEach(async () => {
    await forge?.stop();
    forge = undefined;
    await fs.rm(folder, { recursive: true });
  });
  const current = () => forge ?? assert.fail("no forge was started");
  return {
    folder: () => folder,
    written: () => current().written,
    headers: (name: string) => current().headers(name),
    async start(...args: Parameters<typeof startForge>): Promise<Forge> {
      await forge?.stop();
      return (forge = await startForge(...args));
    },
  };
}

/** Runs a script of the advanced variant. `home` keeps commands from the developer's own settings. */
export function runScript(
  name: string,
  args: string[],
  home: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const script = join(resolve(__dirname, "../../examples/pipeline/advanced/ci"), name);
  const { PATH = "", TMPDIR } = process.env;
  return command(script, args, home, { PATH, HOME: home, ...(TMPDIR !== undefined && { TMPDIR }), ...env });
}
