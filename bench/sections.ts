// The generated sections of docs/performance.md, by name.
import { contestant, contestantIds } from "./contestants";
import { figure, shown, table } from "./markdown";
import { at, operations, ratioOf, runsOf, secondsOf, spreadOf } from "./results";
import type { Operation, Results, Run } from "./results";

type Section = (results: Results, source: string) => string;
/** A head, and the cell of a contestant. */
type Column = readonly [head: string, cell: (results: Results, contestant: string) => string];

const bulk = contestantIds.filter((id) => /^[ac]-/.test(id) && id !== "c-yaml-each");
/** The others are in the table of `bulk`, or show nothing more. */
const inUp = contestantIds.filter((id) => !/-(cached|unchecked)$|^e-floor-skip$/.test(id));
const inPreview = inUp.filter((id) => !/^e-|-skip$|^c-(python|yaml-each)$/.test(id));
const [us, peer] = ["a-user-groups", "f-opentofu"] as const;
const shapes = [us, "c-yaml", "b-user-group", "c-yaml-each", "d-inline", peer];
const sizes = [10, 100, 1000, 10_000];

export const sections: Readonly<Record<string, Section | undefined>> = {
  setting,
  up: comparison("Seconds for `up`, median", inUp, [0, 50].flatMap(upAt)),
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
    [...eachSize("refresh"), ...eachSize("destroy")],
  ),
  state: comparison(
    "Bytes of state for each group",
    shapes,
    sizes.map((groups) => median(many(groups), groups, ({ stateBytes }) => stateBytes / groups)),
  ),
  "peer-ahead": peerAhead,
};

function setting({ startedAt, calls, machine, versions, published }: Results, source: string): string {
  const commands = calls.map((flags) => `\`${["npm run bench --", ...flags].join(" ")}\``);
  const named = Object.entries(versions).map(([name, version]) =>
    [name, version, ...(published[name] ? [`(${published[name]})`] : [])].join(" "),
  );
  return [
    `- Measured on ${startedAt.slice(0, 10)} by ${commands.join(", ")}. \`${source}\` has all figures.`,
    `- Machine: ${Object.values(machine).slice(0, 3).join(", ")}. Backend: ${machine["backend"]}.`,
    `- Versions, with publication dates: ${named.join(", ")}.`,
  ].join("\n");
}

/** Leaves out contestants without any figure, and columns without any. */
function comparison(head: string, ids: readonly string[], columns: readonly Column[]): Section {
  return (results) => {
    const cells = ids.map((id) => columns.map(([, cell]) => cell(results, id)));
    const kept = columns.map((_column, index) => cells.some((row) => row[index] !== "–"));
    const keep = (row: readonly string[]) => row.filter((_cell, index) => kept[index]);
    const rows = cells.map((row, index) => [contestant(ids[index] ?? "").title, ...keep(row)]);
    return table([head, ...keep(columns.map(([title]) => title))], rows.filter(hasFigures));
  };
}

function hasFigures(row: readonly string[]): boolean {
  return row.slice(1).some((cell) => cell !== "–");
}

/** `1,000 groups at 50 ms` */
function many(groups: number, latency = 0): string {
  return `${groups.toLocaleString("en-US")} groups${latency > 0 ? ` at ${latency} ms` : ""}`;
}

/** 5,000 groups are on the line between 1,000 and 10,000. */
function upAt(latency: number): Column[] {
  const cell = (groups: number) => (results: Results, id: string) => {
    const [own, few, most] = [groups, 1000, 10_000].map(
      (size) => secondsOf(results, at(id, size, latency), "up")?.median,
    );
    if (own !== undefined) return figure(own);
    const isBetween = groups === 5000 && few !== undefined && most !== undefined;
    return isBetween ? figure(few + ((most - few) * 4) / 9) : "–";
  };
  const shownSizes = latency > 0 ? [1000, 5000, 10_000] : [10, 100, 1000, 5000, 10_000];
  return shownSizes.map((groups) => [many(groups, latency), cell(groups)]);
}

function seconds(operation: Operation, groups: number, latency = 0, head = many(groups, latency)): Column {
  return [head, (results, id) => shown(secondsOf(results, at(id, groups, latency), operation))];
}

function eachSize(operation: Operation): Column[] {
  return sizes.slice(1).map((groups) => seconds(operation, groups, 0, `${operation}, ${many(groups)}`));
}

function median(head: string, groups: number, value: (run: Run) => number): Column {
  return [
    head,
    (results, id) => {
      const spread = spreadOf(runsOf(results, at(id, groups)).map(value));
      return spread ? figure(spread.median) : "–";
    },
  ];
}

function peerAhead(results: Results): string {
  const rows = [0, 50].flatMap((latency) =>
    sizes.slice(latency > 0 ? 2 : 0).map((groups) => {
      const of = (operation: Operation) =>
        ratioOf(results, at(peer, groups, latency), at(us, groups, latency), operation);
      const cells = operations.map((operation) => {
        const ratio = of(operation);
        return ratio && ratio.median < 1 ? `**${shown(ratio)}**` : shown(ratio);
      });
      return [many(groups, latency), ...cells];
    }),
  );
  return table(
    ["OpenTofu, tuned ÷ `UserGroups`, JavaScript; bold: OpenTofu is ahead", ...operations],
    rows.filter(hasFigures),
  );
}
