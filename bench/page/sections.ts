// The marked sections of docs/performance.md: name → Markdown.
import { contestant, contestants } from "../contestants";
import { goals, stateBytesOf } from "../goals";
import { isMeasured, operations, type Results } from "../results";
import { ratiosOf, runsOf, spreadOf, valuesOf, type Spread } from "../statistics";
import { capital, figure, grouped, shown, table } from "./markdown";
import { profiles } from "./profiles";

type Section = (results: Results, source: string) => string;

export const sections: Readonly<Record<string, Section | undefined>> = {
  setting,
  goals: goalsTable,
  "times-100": (results) => times(results, 100),
  "times-1000": (results) => times(results, 1000),
  "times-10000": (results) => times(results, 10_000),
  "peer-100": (results) => againstPeer(results, 100),
  "peer-1000": (results) => againstPeer(results, 1000),
  "peer-10000": (results) => againstPeer(results, 10_000),
  "peer-ahead": peerAhead,
  "resources-1000": (results) => resources(results, 1000),
  "resources-10000": (results) => resources(results, 10_000),
  "processors-1000": (results) => processors(results, 1000),
  profiles,
  "chart-times": () => "![Seconds for 1,000 groups, by operation](performance/times.svg)",
  "chart-state": () => "![State bytes a group, with 1,000 groups](performance/state.svg)",
  "chart-growth": () => "![Seconds for up, by number of groups](performance/growth.svg)",
};

function setting(results: Results, source: string): string {
  const { machine, versions, calls, runs } = results;
  const elsewhere = spreadOf(
    runs.filter(isMeasured).flatMap((run) => run.operations.map(({ busyElsewhere }) => busyElsewhere)),
  );
  const commands = calls.map(
    (flags) => `\`${["npm run bench", ...(flags.length > 0 ? ["--", ...flags] : [])].join(" ")}\``,
  );
  return [
    `- Measured: ${results.startedAt.slice(0, 10)}, by ${commands.join(" and ")}; everything is in \`${source}\`.`,
    `- Machine: ${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB; ${machine.system}.`,
    `- Versions: ${Object.entries(versions)
      .map((each) => each.join(" "))
      .join(", ")}.`,
    `- The service answers ${results.latency === 0 ? "at once" : `after ${results.latency} ms`}.`,
    `- Processors busy with something else meanwhile: ${shown(elsewhere)}.`,
    ...failures(results),
  ].join("\n");
}

function failures({ runs }: Results): string[] {
  return runs.flatMap((run) =>
    isMeasured(run) ? [] : [`- Failed: ${run.contestant}, ${grouped(run.groups)} groups: ${run.failure}`],
  );
}

function goalsTable(results: Results): string {
  const rows = goals.map((goal) => {
    const figures = goal.figures(results);
    const known = Object.values(figures).filter((each): each is Spread => each !== undefined);
    const isReached = known.length > 0 && known.every(({ median }) => median <= goal.atMost);
    const cells =
      "all" in figures ? [shown(figures.all), "", "", ""] : operations.map((each) => shown(figures[each]));
    return [goal.text, ...cells, figure(goal.atMost), known.length === 0 ? "–" : isReached ? "yes" : "no"];
  });
  return table(["Figure, median (range)", ...operations.map(capital), "At most", "Reached"], rows);
}

function times(results: Results, groups: number): string {
  const rows = present(results, groups).map(({ id, title }) => [
    title,
    ...operations.map((each) =>
      shown(spreadOf(valuesOf(results, { contestant: id, groups }, each, secondsIn))),
    ),
    String(runsOf(results, { contestant: id, groups }).length),
  ]);
  return table([`${grouped(groups)} groups: seconds`, ...operations.map(capital), "Runs"], rows);
}

function againstPeer(results: Results, groups: number): string {
  const peer = { contestant: "e-opentofu", groups };
  const rows = present(results, groups)
    .filter(({ id }) => id !== peer.contestant)
    .map(({ id, title }) => [
      title,
      ...operations.map((each) => shown(spreadOf(ratiosOf(results, { contestant: id, groups }, peer, each)))),
    ]);
  return table([`${grouped(groups)} groups: times OpenTofu's`, ...operations.map(capital)], rows);
}

/** Where the peer, as it comes or tuned, took less than `UserGroups` in the JavaScript program. */
function peerAhead(results: Results): string {
  const rows = ["e-opentofu", "e-opentofu-tuned"].flatMap((peer) =>
    [100, 1000, 10_000].map((groups) => {
      const ratios = operations.map((each) => {
        const us = { contestant: "a-user-groups", groups };
        return spreadOf(ratiosOf(results, { contestant: peer, groups }, us, each));
      });
      const cells = ratios.map((each) => (each && each.median < 1 ? `**${shown(each)}**` : shown(each)));
      return [`${contestant(peer).title}, ${grouped(groups)} groups`, ...cells];
    }),
  );
  return table(["Times `UserGroups`, JavaScript; bold: the peer is ahead", ...operations.map(capital)], rows);
}

function resources(results: Results, groups: number): string {
  const rows = present(results, groups).map(({ id, title }) => {
    const subject = { contestant: id, groups };
    const of = (value: Parameters<typeof valuesOf>[3]) =>
      operations.map((each) => spreadOf(valuesOf(results, subject, each, value))?.median ?? 0);
    return [
      title,
      figure(Math.round(Math.max(...of(({ peakMemoryMiB }) => peakMemoryMiB)))),
      shown(stateBytesOf(results, subject), (bytes) => grouped(Math.round(bytes))),
      of(({ requests }) => requests)
        .map(grouped)
        .join(" / "),
      of(({ connections }) => connections)
        .map(grouped)
        .join(" / "),
      grouped(Math.max(...of(({ peakConnections }) => peakConnections))),
    ];
  });
  const head = ["Peak memory, MiB", "State bytes a group", "Requests", "Connections", "At once"];
  return table([`${grouped(groups)} groups`, ...head], rows);
}

function processors(results: Results, groups: number): string {
  const parts = ["engine", "language host", "program", "provider", "launcher", "other", "service"];
  const rows = present(results, groups).map(({ id, title }) => [
    title,
    ...parts.map((part) => {
      const seconds = valuesOf(results, { contestant: id, groups }, "up", (up) => up.cpuSeconds[part] ?? 0);
      return shown(spreadOf(seconds) && { ...medianOnly(seconds) });
    }),
  ]);
  return table([`Up of ${grouped(groups)} groups: processor seconds`, ...parts.map(capital)], rows);
}

function present(results: Results, groups: number) {
  return contestants.filter(({ id }) => runsOf(results, { contestant: id, groups }).length > 0);
}

function medianOnly(values: readonly number[]): Spread {
  const median = spreadOf(values)?.median ?? 0;
  return { median, min: median, max: median, count: values.length };
}

function secondsIn({ seconds }: { readonly seconds: number }): number {
  return seconds;
}
