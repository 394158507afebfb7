// Who is measured. The letters are those of the page.
import type { Environment } from "./command";

export interface Contestant {
  /** Letter and name, such as "a-user-groups". */
  readonly id: string;
  /** As the tables name it. */
  readonly title: string;
  /** The engine that runs it. */
  readonly engine: "pulumi" | "opentofu";
  /** The folder in bench/programs. */
  readonly program: string;
  /** Further folders whose files it takes, its own files going before. */
  readonly alsoFrom?: string;
  /** On top of the environment that every contestant of the engine gets. */
  readonly env?: Environment;
  /** Whether OpenTofu asks the service before it plans, and is held to its own number of requests at once. */
  readonly isTuned?: boolean;
  /** Whether it makes no requests. */
  readonly isIdle?: boolean;
  /** It is left out where there are more groups, since its time grows with their square. */
  readonly mostGroups?: number;
}

/** The setting with which the engine saves its state at the end of an operation only. */
const skipCheckpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

export const contestants: readonly Contestant[] = [
  {
    id: "a-user-groups",
    title: "`UserGroups`, JavaScript",
    engine: "pulumi",
    program: "user-groups",
  },
  {
    id: "a-user-groups-ts",
    title: "`UserGroups`, TypeScript",
    engine: "pulumi",
    program: "user-groups-ts",
  },
  {
    id: "a-user-groups-unchecked",
    title: "`UserGroups`, TypeScript, unchecked",
    engine: "pulumi",
    program: "user-groups-ts",
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  },
  {
    id: "b-user-group",
    title: "`UserGroup` each",
    engine: "pulumi",
    program: "user-group",
    mostGroups: 1000,
  },
  {
    id: "b-user-group-skip",
    title: "`UserGroup` each, checkpoints skipped",
    engine: "pulumi",
    program: "user-group",
    env: skipCheckpoints,
    mostGroups: 1000,
  },
  {
    id: "c-inline",
    title: "inline dynamic provider",
    engine: "pulumi",
    program: "inline",
    mostGroups: 1000,
  },
  {
    id: "d-nothing",
    title: "floor: provider that does nothing",
    engine: "pulumi",
    program: "nothing",
    isIdle: true,
    mostGroups: 1000,
  },
  {
    id: "d-nothing-skip",
    title: "floor, checkpoints skipped",
    engine: "pulumi",
    program: "nothing",
    env: skipCheckpoints,
    isIdle: true,
  },
  {
    id: "d-nothing-one",
    title: "floor, one resource for all",
    engine: "pulumi",
    program: "nothing-one",
    alsoFrom: "nothing",
    isIdle: true,
  },
  {
    id: "e-opentofu",
    title: "OpenTofu, restapi",
    engine: "opentofu",
    program: "opentofu",
  },
  {
    id: "e-opentofu-tuned",
    title: "OpenTofu, restapi, tuned",
    engine: "opentofu",
    program: "opentofu",
    isTuned: true,
  },
];

export const contestantIds = contestants.map(({ id }) => id);

export function contestant(id: string): Contestant {
  const found = contestants.find((each) => each.id === id);
  if (!found) throw new Error(`There is no contestant "${id}"`);
  return found;
}
