// The measured programs. The page explains them.
import { join } from "node:path";
import type { Environment } from "./command";

export interface Contestant {
  /** A letter for the kind, and a name, such as "a-user-groups". */
  readonly id: string;
  /** Its name in tables. */
  readonly title: string;
  readonly engine: "pulumi" | "opentofu";
  /** Folders in bench/programs. A file of a later folder replaces one of the same name. */
  readonly programs: readonly string[];
  /** The runtime of a program that uses the plugin. */
  readonly plugin?: "yaml, one resource" | "yaml, one each" | "nodejs";
  /** In addition to the environment of every contestant. */
  readonly env?: Environment;
  /** OpenTofu: 16 requests at a time, and no request before a plan. */
  readonly isTuned?: boolean;
  /** After the first up, all names change, and `up` runs twice more. */
  readonly isRenamed?: boolean;
  /** It sends no requests. */
  readonly isIdle?: boolean;
  /** The largest size that is measured, because the time grows with the square of the size. */
  readonly mostGroups?: number;
}

/** With these settings, the engine saves its state only at the end of an operation. */
const skipCheckpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
const transpileOnly = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
/** Node.js 22.1 and newer keep compiled code there. */
const compileCache = { NODE_COMPILE_CACHE: join(__dirname, ".cache/compiled") };
const compressed = { PULUMI_DIY_BACKEND_ZSTD: "true" };
const small = { mostGroups: 1000 };
const renamed = { isRenamed: true, ...small };
const overlap = { BENCH_OVERLAP: "true" };

export const contestants: readonly Contestant[] = [
  pulumi("a-user-groups", "`UserGroups`, JavaScript", ["user-groups"]),
  pulumi("a-user-groups-cached", "`UserGroups`, JavaScript, compile cache", ["user-groups"], {
    env: compileCache,
  }),
  pulumi("a-user-groups-ts", "`UserGroups`, TypeScript", ["user-groups-ts"]),
  pulumi("a-user-groups-unchecked", "`UserGroups`, TypeScript, unchecked", ["user-groups-ts"], {
    env: transpileOnly,
  }),
  pulumi("a-user-groups-zstd", "`UserGroups`, JavaScript, compressed state", ["user-groups"], {
    env: compressed,
  }),
  pulumi("b-user-group", "`UserGroup` each", ["user-group"], small),
  pulumi("b-user-group-zstd", "`UserGroup` each, compressed state", ["user-group"], {
    env: compressed,
    ...small,
  }),
  pulumi("b-user-group-skip", "`UserGroup` each, checkpoints skipped", ["user-group"], {
    env: skipCheckpoints,
    ...small,
  }),
  pulumi("c-javascript", "`UserGroups`, JavaScript, plugin", ["plugin"], { plugin: "nodejs" }),
  pulumi("c-javascript-cached", "`UserGroups`, JavaScript, plugin, compile cache", ["plugin"], {
    plugin: "nodejs",
    env: compileCache,
  }),
  pulumi("c-yaml", "`UserGroups`, YAML", [], { plugin: "yaml, one resource" }),
  pulumi("c-yaml-each", "`UserGroup` each, YAML", [], { plugin: "yaml, one each", ...small }),
  pulumi("d-inline", "inline dynamic provider", ["inline"], small),
  pulumi("e-floor-one", "floor, one resource", ["nothing"], {
    env: { BENCH_ONE_RESOURCE: "true" },
    isIdle: true,
  }),
  pulumi("e-floor", "floor, one each", ["nothing"], { isIdle: true, ...small }),
  openTofu("f-opentofu", "OpenTofu, `count`, tuned", ["opentofu", "opentofu-count"], { isTuned: true }),
  openTofu("f-opentofu-for-each", "OpenTofu, `for_each`", ["opentofu"], small),
  pulumi("g-groups", "`UserGroups`, all names change", ["user-groups"], renamed),
  pulumi("g-groups-overlap", "`UserGroups`, all names change, `overlap`", ["user-groups"], {
    env: overlap,
    ...renamed,
  }),
  pulumi("g-each", "`UserGroup` each, all names change", ["user-group"], renamed),
  pulumi("g-each-overlap", "`UserGroup` each, all names change, `overlap`", ["user-group"], {
    env: overlap,
    ...renamed,
  }),
];

export const contestantIds = contestants.map(({ id }) => id);

export function contestant(id: string): Contestant {
  const found = contestants.find((each) => each.id === id);
  if (!found) throw new Error(`There is no contestant "${id}"`);
  return found;
}

type More = Omit<Contestant, "id" | "title" | "engine" | "programs">;

function pulumi(id: string, title: string, programs: string[], more: More = {}): Contestant {
  return { id, title, engine: "pulumi", programs, ...more };
}

function openTofu(id: string, title: string, programs: string[], more: More): Contestant {
  return { id, title, engine: "opentofu", programs, ...more };
}
