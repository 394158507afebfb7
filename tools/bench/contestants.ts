/** The programs that the benchmark compares. docs/scale.md explains them. */
import { join } from "node:path";

export interface Contestant {
  /** A letter for the kind, and a name, such as "a-user-groups". */
  readonly id: string;
  /** Its name in tables. */
  readonly title: string;
  /** A folder in tools/bench/programs. A program in YAML has none, because its text contains the tenants. */
  readonly program: "opentofu" | "plugin" | "user-group" | "user-groups" | "user-groups-ts" | "yaml";
  /** In addition to the environment of every contestant. */
  readonly env?: Readonly<Record<string, string>>;
  /** The largest size that is measured, if the time grows with the square of the size. */
  readonly mostGroups?: number;
}

/** Node.js 22.1 and newer keep compiled code there. */
const compileCache = { NODE_COMPILE_CACHE: join(__dirname, ".cache/compiled") };
const transpileOnly = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
/** With these settings, the engine saves its state only at the end of an operation. */
const skipCheckpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

export const contestants: readonly Contestant[] = [
  { id: "a-user-groups", title: "`UserGroups`, JavaScript", program: "user-groups" },
  {
    id: "a-user-groups-cached",
    title: "`UserGroups`, JavaScript, compile cache",
    program: "user-groups",
    env: compileCache,
  },
  { id: "a-user-groups-ts", title: "`UserGroups`, TypeScript", program: "user-groups-ts" },
  {
    id: "a-user-groups-unchecked",
    title: "`UserGroups`, TypeScript, unchecked",
    program: "user-groups-ts",
    env: transpileOnly,
  },
  { id: "b-user-group", title: "`UserGroup` each", program: "user-group", mostGroups: 1000 },
  {
    id: "b-user-group-skip",
    title: "`UserGroup` each, checkpoints skipped",
    program: "user-group",
    env: skipCheckpoints,
    mostGroups: 1000,
  },
  { id: "c-javascript", title: "`UserGroups`, JavaScript, plugin", program: "plugin" },
  {
    id: "c-javascript-cached",
    title: "`UserGroups`, JavaScript, plugin, compile cache",
    program: "plugin",
    env: compileCache,
  },
  { id: "c-yaml", title: "`UserGroups`, YAML", program: "yaml" },
  { id: "f-opentofu", title: "OpenTofu", program: "opentofu" },
];
