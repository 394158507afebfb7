/**
 * The first file of the plugin. It lets Node.js keep the compiled code of the other file, so that later starts don't compile it
 * (Node.js 22.8+), and loads that file. NODE_DISABLE_COMPILE_CACHE=1 turns this off.
 */
import "../../node/orExit";
import { mkdirSync, realpathSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

const othersMayWrite = 0o022;
const sticky = 0o1000;

keepCompiledCode();
void import("./main.js");

function keepCompiledCode(): void {
  const compiler: { createRequire: unknown; enableCompileCache?: (folder: string) => unknown } = nodeModule;
  if (!compiler.enableCompileCache) return;
  const { PULUMI_HOME = "" } = process.env;
  const home = PULUMI_HOME === "" ? join(homedir(), ".pulumi") : PULUMI_HOME;
  const folder = privateFolder(join(home, "user-groups", "compiled"));
  if (folder !== undefined) compiler.enableCompileCache(folder);
}

/** The folder, if no other user can write there: compiled code is run as it is found. Windows doesn't tell, so none there. */
function privateFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const real = realpathSync(path);
    const isShared = (statSync(real).mode & othersMayWrite) !== 0;
    return !isShared && isKept(real) ? real : undefined;
  } catch {
    return undefined; // The home can't be written. The plugin works without.
  }
}

/** Whether no other user can put another folder in the place of this one, or of one above it. */
function isKept(path: string): boolean {
  const { uid, mode } = statSync(path);
  const isOwn = uid === 0 || uid === process.getuid?.();
  const isReplaceable = (mode & othersMayWrite) !== 0 && (mode & sticky) === 0;
  const parent = dirname(path);
  return isOwn && !isReplaceable && (parent === path || isKept(parent));
}
