// What this project wants to reach, as figures of one run.
import { shown, table } from "./markdown";
import { at, operations, ratioOf, runsOf, secondsOf, spreadOf } from "./results";
import type { Operation, Results, Spread } from "./results";

export function aimsTable(results: Results): string {
  const rows = aims.map(([groups, text, atMost, of]) => {
    const spreads = operations.map((operation) => of(results, groups, operation));
    const medians = spreads.flatMap((spread) => (spread ? [spread.median] : []));
    const isReached = Math.max(...medians) <= atMost ? "yes" : "no";
    return [
      groups.toLocaleString("en-US"),
      text,
      ...spreads.map(shown),
      String(atMost),
      medians.length > 0 ? isReached : "–",
    ];
  });
  return table(["groups", "ratio", ...operations, "at most", "reached"], rows);
}

type Figure = (results: Results, groups: number, operation: Operation) => Spread | undefined;

/** The service's latency in milliseconds, and the number of requests that this package sends at the same time. */
const [latency, connections] = [50, 16];

const aims: readonly (readonly [groups: number, text: string, atMost: number, figure: Figure])[] = [
  [10, "YAML to OpenTofu", 1.3, ratio("c-yaml", "f-opentofu")],
  [100, "YAML to OpenTofu", 1.3, ratio("c-yaml", "f-opentofu")],
  [100, "JavaScript to OpenTofu", 3, ratio("a-user-groups", "f-opentofu")],
  [1000, "JavaScript to OpenTofu", 0.9, ratio("a-user-groups", "f-opentofu")],
  [10_000, "JavaScript to OpenTofu", 0.5, ratio("a-user-groups", "f-opentofu")],
  [10_000, "JavaScript to the floor", 1.2, ratio("a-user-groups", "e-floor-one", ["preview", "refresh"])],
  [10_000, "JavaScript to the floor", 1.4, ratio("a-user-groups", "e-floor-one", ["up"])],
  [1000, `at ${latency} ms, to waiting plus start`, 1.2, toWaiting],
  [10_000, `at ${latency} ms, to waiting plus start`, 1.2, toWaiting],
  [100, "state of `UserGroup` each: YAML to JavaScript", 1, toDynamicState],
];

function ratio(of: string, to: string, only: readonly Operation[] = operations): Figure {
  return (results, groups, operation) =>
    only.includes(operation) ? ratioOf(results, at(of, groups), at(to, groups), operation) : undefined;
}

/** Waiting is groups × latency ÷ connections. The start is the time of 10 groups without latency. */
function toWaiting(results: Results, groups: number, operation: Operation): Spread | undefined {
  const start = secondsOf(results, at("a-user-groups", 10), "up");
  if (!start || operation !== "up") return undefined;
  const least = (groups * latency) / 1000 / connections + start.median;
  return spreadOf(runsOf(results, at("a-user-groups", groups, latency)).map(({ up }) => up.seconds / least));
}

function toDynamicState(results: Results, groups: number, operation: Operation): Spread | undefined {
  const [of, to] = ["c-yaml-each", "b-user-group"].map(
    (id) => runsOf(results, at(id, groups))[0]?.stateBytes,
  );
  return operation === "up" && of && to ? spreadOf([of / to]) : undefined;
}
