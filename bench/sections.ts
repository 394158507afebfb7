// The generated parts of docs/performance.md and docs/reference/measurements.md, by name.
import { contestant, contestantIds } from "./contestants";
import { at, ratioOf, runsOf, secondsOf, spreadOf } from "./results";
import type { Operation, Results, Run, Spread } from "./results";

type Section = (results: Results, source: string) => string;
/** A head, and the cell of a contestant. */
type Column = readonly [head: string, cell: (results: Results, contestant: string) => string];

const bulk = contestantIds.filter((id) => /^[ac]-/.test(id) && id !== "c-yaml-each");
/** The others are in the table of `bulk`, or show nothing more. */
const inUp = contestantIds.filter((id) => !/^g-|-(cached|unchecked)$/.test(id));
const inPreview = inUp.filter((id) => !/^e-|-skip$|^c-yaml-each$/.test(id));
const [us, peer] = ["a-user-groups", "f-opentofu"] as const;
const shapes = [us, "c-yaml", "b-user-group", "c-yaml-each", "d-inline", peer];
const sizes = [10, 100, 1000, 10_000];
const large = sizes.slice(2);

export const sections = {
  answer,
  setting,
  up: comparison("Seconds for `up`, median", inUp, [
    ...sizes.map((groups) => median(many(groups), groups, ({ up }) => up.seconds)),
    ...large.map((groups) => median(many(groups, 50), groups, ({ up }) => up.seconds, 50)),
  ]),
  preview: comparison("Seconds for a preview", inPreview, [
    ...sizes.map((groups) => seconds("preview", groups)),
    seconds("preview", 1000, 50),
  ]),
  languages: comparison("", bulk, [
    seconds("preview", 10, 0, "preview of 10"),
    seconds("up", 10, 0, "up of 10"),
    seconds("up", 100, 0, "up of 100"),
    ["up of 100 ÷ OpenTofu's", (results, id) => shown(ratioOf(results, at(id, 100), at(peer, 100), "up"))],
    median("processor seconds, up of 100", 100, ({ up }) => up.cpuSeconds),
    median("MiB of memory, up of 100", 100, ({ up }) => up.peakMemoryMiB),
  ]),
  others: comparison(
    "Seconds",
    [us, "c-yaml", "b-user-group", peer],
    (["refresh", "destroy"] as const).flatMap((operation) =>
      sizes.slice(1).map((groups) => seconds(operation, groups, 0, `${operation}, ${many(groups)}`)),
    ),
  ),
  state: comparison(
    "Bytes of state for each group",
    [...shapes, "a-user-groups-zstd", "b-user-group-zstd"],
    sizes.map((groups) => median(many(groups), groups, ({ stateBytes }) => stateBytes / groups)),
  ),
} satisfies Readonly<Record<string, Section>>;

/** What a reader wants to know first: large and small sets of groups, against the peer's best form. */
function answer(results: Results): string {
  const value = (id: string, groups: number, operation: Operation) => {
    const spread = secondsOf(results, at(id, groups), operation);
    return spread ? `${figure(spread.median)} s` : "–";
  };
  const pair = (id: string) =>
    `${value(id, 10_000, "up")} for \`up\` and ${value(id, 10_000, "preview")} for a preview`;
  return (
    `**10,000 groups in one \`UserGroups\` take ${pair(us)}; with OpenTofu in its best form, ${pair(peer)}.** Up to a few hundred ` +
    `groups, OpenTofu is faster, because its two Go programs start at once: 100 groups take ${value(peer, 100, "up")}, and ` +
    `${value(us, 100, "up")} with \`UserGroups\` (${value("c-javascript", 100, "up")} with the plugin).`
  );
}

function setting({ startedAt, calls, machine, versions }: Results, source: string): string {
  const commands = calls.map((flags) => `\`${["npm run bench --", ...flags].join(" ")}\``);
  const named = Object.entries(versions).map((nameAndVersion) => nameAndVersion.join(" "));
  return [
    `- Measured on ${startedAt.slice(0, 10)} by ${commands.join(", ")}. \`${source}\` has all figures.`,
    `- Machine: ${Object.values(machine).slice(0, 3).join(", ")}. Backend: ${machine["backend"]}.`,
    `- Versions: ${named.join(", ")}.`,
  ].join("\n");
}

/** Leaves out contestants without any figure, and columns without any. */
function comparison(head: string, ids: readonly string[], columns: readonly Column[]): Section {
  return (results) => {
    const cells = ids.map((id) => columns.map(([, cell]) => cell(results, id)));
    const kept = columns.map((_column, index) => cells.some((row) => row[index] !== "–"));
    const keep = (row: readonly string[]) => row.filter((_cell, index) => kept[index]);
    const rows = cells.map((row, index) => [contestant(ids[index] ?? "").title, ...keep(row)]);
    return table([head, ...keep(columns.map(([title]) => title))], rows);
  };
}

/** `1,000 groups at 50 ms` */
function many(groups: number, latency = 0): string {
  return `${groups.toLocaleString("en-US")} groups${latency > 0 ? ` at ${latency} ms` : ""}`;
}

function seconds(operation: Operation, groups: number, latency = 0, head = many(groups, latency)): Column {
  return [head, (results, id) => shown(secondsOf(results, at(id, groups, latency), operation))];
}

function median(head: string, groups: number, value: (run: Run) => number, latency = 0): Column {
  return [
    head,
    (results, id) => {
      const spread = spreadOf(runsOf(results, at(id, groups, latency)).map(value));
      return spread ? figure(spread.median) : "–";
    },
  ];
}

/** Leaves out rows without any figure. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const shownRows = rows.filter((row) => row.slice(1).some((cell) => cell !== "–"));
  const lines = [head, ["---", ...head.slice(1).map(() => "---:")], ...shownRows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The median, and the range if there is one: `3.10 (3.02–3.30)`. */
function shown(spread: Spread | undefined): string {
  if (!spread) return "–";
  const [median, min, max] = [figure(spread.median), figure(spread.min), figure(spread.max)];
  return min === max ? median : `${median} (${min}–${max})`;
}

/** Rounds to three significant digits. */
function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 10 ? 1 : 2);
}
