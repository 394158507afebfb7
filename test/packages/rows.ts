import type { ProgramKind } from "./programs";

/** One combination that a user may have. */
export interface Row {
  readonly program: ProgramKind;
  readonly manager: "npm" | "pnpm" | "Yarn" | "Yarn, Plug'n'Play" | "Bun";
  /** Installs the last commit from the repository's address. Default: the packed working tree. */
  readonly from?: "git";
  /** Version of @pulumi/pulumi. */
  readonly sdk: string;
  /** Version of Node.js, from the npm package that brings it; undefined: the Node.js that runs the tests. */
  readonly node?: string;
}

/** Each program, package manager, SDK and Node.js stands in one row at least; SDKs from 3.249 need Node.js 22. */
export const rows: readonly Row[] = [
  { program: "TypeScript, CommonJS", manager: "npm", from: "git", sdk: "3.248.0" },
  { program: "TypeScript, ESM", manager: "npm", sdk: "3.248.0" },
  { program: "JavaScript, CommonJS", manager: "npm", sdk: "3.146.0" },
  { program: "JavaScript, ESM", manager: "npm", sdk: "3.216.0" },
  { program: "precompiled", manager: "npm", sdk: "3.248.0", node: "20.19.0" },
  { program: "TypeScript, CommonJS", manager: "pnpm", sdk: "3.216.0" },
  { program: "JavaScript, ESM", manager: "pnpm", from: "git", sdk: "3.248.0" },
  { program: "TypeScript, CommonJS", manager: "Yarn", sdk: "3.146.0" },
  { program: "JavaScript, CommonJS", manager: "Yarn, Plug'n'Play", sdk: "3.248.0" },
  { program: "TypeScript, CommonJS", manager: "Bun", sdk: "3.248.0" },
  { program: "JavaScript, CommonJS", manager: "npm", sdk: "latest", node: "22.23.3" },
  { program: "TypeScript, CommonJS", manager: "npm", sdk: "latest", node: "24.21.0" },
];
