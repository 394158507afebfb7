/** The tables of docs/scale.md, of one results file each. */
import { contestants } from "./contestants";
import { medianOf, type Operation, type Results, type Run } from "./results";

/** A head, and the value of a contestant, if it was measured. */
type Column = readonly [head: string, value: (results: Results, contestant: string) => number | undefined];

const groups = "a-user-groups";
const plugin = "c-javascript";
const peer = "f-opentofu";
const all = [groups, "a-user-groups-ts", "b-user-group", "b-user-group-skip", plugin, "c-yaml", peer];

/** What a reader wants to know first: large and small sets of groups, against the peer's best form. */
export function answer(large: Results, small: Results): string {
  const value = (results: Results, contestant: string, count: number, operation: Operation) =>
    `${figure(seconds(operation, count)[1](results, contestant))} s`;
  const pair = (contestant: string) =>
    `${value(large, contestant, 10_000, "up")} for \`up\` and ${value(large, contestant, 10_000, "preview")} for a preview`;
  const hundred = (contestant: string) => value(small, contestant, 100, "up");
  return (
    `**10,000 groups in one \`UserGroups\` take ${pair(groups)}; with OpenTofu in its best form, ${pair(peer)}.** Up to a few hundred ` +
    `groups, OpenTofu is faster, because its two Go programs start quickly: 100 groups take ${hundred(peer)}, and ` +
    `${hundred(groups)} with \`UserGroups\` (${hundred(plugin)} with the plugin).`
  );
}

export const tables = {
  /** All operations on so many groups, and the state. */
  large: (count: number) =>
    comparison(`${many(count)}, seconds`, all, [
      ...(["up", "preview", "refresh", "destroy"] as const).map((operation) =>
        seconds(operation, count, 0, operation),
      ),
      seconds("up", count, 50, "up at 50 ms"),
      column("bytes of state a group", count, ({ stateBytes }) => stateBytes / count),
    ]),
  small: comparison(
    "Seconds",
    contestants.map(({ id }) => id),
    [
      seconds("preview", 10, 0, "preview of 10"),
      ...[10, 100].map((count) => seconds("up", count, 0, `up of ${count}`)),
    ],
  ),
};

export function setting({ startedAt, machine, versions }: Results, source: string): string {
  const named = Object.entries(versions).map((nameAndVersion) => nameAndVersion.join(" "));
  return [
    `- Measured on ${startedAt.slice(0, 10)}. \`${source}\` has all figures, and the options of \`npm run bench\` that measure them again.`,
    `- Machine: ${Object.values(machine).slice(0, 3).join(", ")}. Backend: ${machine["backend"]}.`,
    `- Versions: ${named.join(", ")}.`,
  ].join("\n");
}

/** Leaves out contestants without any figure. */
function comparison(head: string, ids: readonly string[], columns: readonly Column[]) {
  return (results: Results): string => {
    const rows = contestants
      .filter(({ id }) => ids.includes(id))
      .map(({ id, title }) => [title, ...columns.map(([, value]) => figure(value(results, id)))])
      .filter((cells) => cells.slice(1).some((cell) => cell !== "–"));
    const heads = [head, ...columns.map(([title]) => title)];
    const lines = [heads, ["---", ...columns.map(() => "---:")], ...rows];
    return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  };
}

function seconds(operation: Operation, count: number, latency = 0, head = many(count, latency)): Column {
  return column(head, count, (run) => run[operation].seconds, latency);
}

function column(head: string, count: number, value: (run: Run) => number, latency = 0): Column {
  return [head, (results, contestant) => medianOf(results, { contestant, groups: count, latency }, value)];
}

/** `1,000 groups at 50 ms` */
function many(count: number, latency = 0): string {
  return `${count.toLocaleString("en-US")} groups${latency > 0 ? ` at ${latency} ms` : ""}`;
}

/** Rounds to three significant digits. */
function figure(value: number | undefined): string {
  if (value === undefined) return "–";
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 10 ? 1 : 2);
}
