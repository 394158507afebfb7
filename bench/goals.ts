// What issue and design ask for, each as a figure that the results give.
import { operations, type Operation, type Results } from "./results";
import { ratiosOf, runsOf, spreadOf, valuesOf, type Spread, type Subject } from "./statistics";

export interface Goal {
  readonly text: string;
  readonly atMost: number;
  /** By operation, or one figure for all. */
  figures(results: Results): Partial<Record<Operation | "all", Spread | undefined>>;
}

export const goals: readonly Goal[] = [
  ratio("`UserGroups`, JavaScript, to OpenTofu", 0.9, at("a-user-groups", 1000), at("e-opentofu", 1000)),
  ratio("`UserGroups`, TypeScript, to OpenTofu", 1.15, at("a-user-groups-ts", 1000), at("e-opentofu", 1000)),
  ratio("`UserGroups`, JavaScript, to OpenTofu", 1, at("a-user-groups", 10_000), at("e-opentofu", 10_000)),
  ratio("`UserGroups`, JavaScript, to its 1,000", 12, at("a-user-groups", 10_000), at("a-user-groups", 1000)),
  ratio(
    "`UserGroups`, TypeScript, to its 1,000",
    12,
    at("a-user-groups-ts", 10_000),
    at("a-user-groups-ts", 1000),
  ),
  ratio("`UserGroup` to the floor", 1.05, at("b-user-group", 1000), at("d-nothing", 1000)),
  ratio(
    "`UserGroup` to the floor, checkpoints skipped",
    1.05,
    at("b-user-group-skip", 1000),
    at("d-nothing-skip", 1000),
  ),
  ratio("`UserGroup` to an inline provider", 0.5, at("b-user-group", 1000), at("c-inline", 1000)),
  stateBytes("`UserGroups`: state bytes a group", 300, at("a-user-groups", 1000)),
  stateBytes("`UserGroup`: state bytes a group", 1800, at("b-user-group", 1000)),
  connections("`UserGroups`: connections at once", 16, at("a-user-groups", 1000)),
  connections("`UserGroups`: connections at once", 16, at("a-user-groups", 10_000)),
];

export function stateBytesOf(results: Results, subject: Subject): Spread | undefined {
  return spreadOf(runsOf(results, subject).map(({ stateBytes }) => stateBytes / subject.groups));
}

function at(contestant: string, groups: number): Subject {
  return { contestant, groups };
}

function ratio(what: string, atMost: number, of: Subject, to: Subject): Goal {
  return {
    text: `${what}, ${of.groups.toLocaleString("en-US")} groups`,
    atMost,
    figures: (results) =>
      Object.fromEntries(operations.map((each) => [each, spreadOf(ratiosOf(results, of, to, each))])),
  };
}

function stateBytes(what: string, atMost: number, subject: Subject): Goal {
  return {
    ...single(what, atMost, subject),
    figures: (results) => ({ all: stateBytesOf(results, subject) }),
  };
}

function connections(what: string, atMost: number, subject: Subject): Goal {
  const peaks = (results: Results) =>
    operations.flatMap((each) => valuesOf(results, subject, each, ({ peakConnections }) => peakConnections));
  return { ...single(what, atMost, subject), figures: (results) => ({ all: spreadOf(peaks(results)) }) };
}

function single(what: string, atMost: number, { groups }: Subject): Pick<Goal, "text" | "atMost"> {
  return { text: `${what}, ${groups.toLocaleString("en-US")} groups`, atMost };
}
