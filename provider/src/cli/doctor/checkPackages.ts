/** Checks that Node.js, the SDK and this package are compatible, as the program's folder resolves them. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import semver from "semver";
import * as z from "zod";
import { isObject } from "../../values";
import { failed, ok, warning, type Finding } from "./finding";

const manifest = z.object({
  version: z.string(),
  engines: z.object({ node: z.string().optional() }).optional(),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

interface Package extends z.infer<typeof manifest> {
  /** The real path of its folder. */
  readonly folder: string;
}

const own = readPackage(join(__dirname, "../../.."));
const sdkName = "@pulumi/pulumi";
const ownName = "pulumi-user-groups";

export function checkPackages(program: string): Finding[] {
  const sdk = findPackage(sdkName, program);
  return [checkNode(sdk), checkSdk(sdk), ...checkOwn(program, sdk)];
}

function checkNode(sdk: Package | undefined): Finding {
  const node = process.versions.node;
  const requirements = [
    { name: `${ownName} ${own.version}`, range: own.engines?.node },
    ...(sdk ? [{ name: `${sdkName} ${sdk.version}`, range: sdk.engines?.node }] : []),
  ];
  const unmet = requirements.find(({ range = "*" }) => !semver.satisfies(node, range));
  if (unmet)
    return failed(
      "node",
      `Node.js ${node} is too old for ${unmet.name}, which needs ${unmet.range ?? "another"}`,
      `Install a newer Node.js${unmet.name.startsWith(sdkName) ? `, or an older ${sdkName}` : ""}.`,
    );
  return ok("node", `Node.js ${node}`);
}

function checkSdk(sdk: Package | undefined): Finding {
  const range = own.peerDependencies[sdkName] ?? "*";
  if (!sdk)
    return failed(
      "sdk",
      `${sdkName} can't be found from the program's folder`,
      `Run npm install ${sdkName} there.`,
    );
  if (!semver.satisfies(sdk.version, range))
    return failed(
      "sdk",
      `${sdkName} ${sdk.version} is incompatible with ${ownName} ${own.version}, which needs ${range}`,
      `Run npm install "${sdkName}@${range}" there.`,
    );
  return ok("sdk", `${sdkName} ${sdk.version}`);
}

/** The engine resolves the provider's text in the state from the program's folder. */
function checkOwn(program: string, sdk: Package | undefined): Finding[] {
  const found = findPackage(ownName, program);
  if (!found || !providesAll(program))
    return [
      failed(
        "package",
        `${ownName}/provider can't be ${found ? "loaded" : "found"} from the program's folder, where the engine loads it`,
        `Run npm install ${ownName} there: it must be a direct dependency of the program.`,
      ),
    ];
  const copies = checkCopies(found, sdk);
  if (!isDirectDependency(program))
    return [
      warning(
        "package",
        `${ownName} ${found.version} is found, but the program's package.json doesn't name it`,
        `Run npm install ${ownName} there, because other package managers don't find it.`,
      ),
      ...copies,
    ];
  return [ok("package", `${ownName} ${found.version} is found from the program's folder`), ...copies];
}

/** Two copies of the SDK share their state, so they work together. But their types and versions may be incompatible. */
function checkCopies(found: Package, sdk: Package | undefined): Finding[] {
  const other = findPackage(sdkName, found.folder);
  if (!other || !sdk) return [];
  if (other.folder === sdk.folder) return [ok("sdk", `There is one copy of ${sdkName}`)];
  return [
    warning(
      "sdk",
      `There are two copies of ${sdkName}: ${sdk.version} for the program, ${other.version} for ${ownName}`,
      "Run npm dedupe, or link the package so that it uses the program's copy.",
    ),
  ];
}

function findPackage(name: string, from: string): Package | undefined {
  try {
    return readPackage(dirname(requireFrom(from).resolve(`${name}/package.json`)));
  } catch {
    return undefined;
  }
}

function readPackage(folder: string): Package {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  return { ...manifest.parse(JSON.parse(text)), folder: realpathSync(folder) };
}

/** Requires the package as the provider's text in the state does. */
function providesAll(program: string): boolean {
  try {
    const loaded: unknown = requireFrom(program)(`${ownName}/provider`);
    return isObject(loaded) && "userGroup" in loaded && "userGroups" in loaded;
  } catch {
    return false;
  }
}

function requireFrom(folder: string): NodeJS.Require {
  return createRequire(join(folder, "program.js"));
}

/** Reads the nearest package.json, as package managers do. */
function isDirectDependency(folder: string): boolean {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return dirname(folder) !== folder && isDirectDependency(dirname(folder));
  const { dependencies, devDependencies } = dependencyLists.parse(JSON.parse(readFileSync(file, "utf8")));
  return ownName in { ...dependencies, ...devDependencies };
}

const dependencyList = z.record(z.string(), z.string()).default({});
const dependencyLists = z.object({ dependencies: dependencyList, devDependencies: dependencyList });
