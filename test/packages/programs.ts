/** The same program in each way in which a user may write it. */

export type ProgramKind =
  "TypeScript, CommonJS" | "TypeScript, ESM" | "JavaScript, CommonJS" | "JavaScript, ESM" | "precompiled";

export interface PackageProgram {
  /** Beside package.json. */
  readonly files: Readonly<Record<string, string>>;
  /** What package.json says beside its name and dependencies. */
  readonly manifest: Readonly<Record<string, string>>;
  readonly isTypeScript: boolean;
}

const body = `
const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme", mapping: { sales: 7 } });
const tenants = new UserGroups("tenants", { groups: { globex: { name: "Globex" }, initech: { name: "Initech" } } });
`;
const imported = `import { UserGroup, UserGroups } from "pulumi-user-groups";${body}
export const token = acme.token;
export const tokens = tenants.tokens;
`;
const required = `const { UserGroup, UserGroups } = require("pulumi-user-groups");${body}
exports.token = acme.token;
exports.tokens = tenants.tokens;
`;
const commonJsOptions = compilerOptions({ module: "commonjs", moduleResolution: "node" });
const project = "name: packages\nruntime: nodejs\n";

export const programs: Readonly<Record<ProgramKind, PackageProgram>> = {
  "TypeScript, CommonJS": {
    files: { "index.ts": imported, "tsconfig.json": commonJsOptions, "Pulumi.yaml": project },
    manifest: { main: "index.ts" },
    isTypeScript: true,
  },
  "TypeScript, ESM": {
    files: {
      "index.ts": imported,
      "tsconfig.json": compilerOptions({ module: "nodenext" }),
      "Pulumi.yaml":
        "name: packages\nruntime:\n  name: nodejs\n  options:\n    nodeargs: --loader ts-node/esm --no-warnings\n",
    },
    manifest: { main: "index.ts", type: "module" },
    isTypeScript: true,
  },
  "JavaScript, CommonJS": {
    files: { "index.js": required, "Pulumi.yaml": project },
    manifest: { main: "index.js" },
    isTypeScript: false,
  },
  "JavaScript, ESM": {
    files: { "index.js": imported, "Pulumi.yaml": project },
    manifest: { main: "index.js", type: "module" },
    isTypeScript: false,
  },
  precompiled: {
    files: {
      "src/index.ts": imported,
      "tsconfig.json": compilerOptions({ module: "node20", rootDir: "src", outDir: "bin" }),
      "Pulumi.yaml": "name: packages\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
    },
    manifest: { main: "bin/index.js" },
    isTypeScript: true,
  },
};

/** Strict about the package's own types too. */
function compilerOptions(options: Readonly<Record<string, string>>): string {
  return JSON.stringify({ compilerOptions: { target: "es2022", strict: true, ...options } });
}
