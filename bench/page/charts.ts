// The charts of docs/performance.md, drawn by ECharts as SVG.
import * as echarts from "echarts";
import { contestants } from "../contestants";
import { stateBytesOf } from "../goals";
import { operations, type Results } from "../results";
import { runsOf, spreadOf, valuesOf } from "../statistics";
import { capital } from "./markdown";

export const charts: Readonly<Record<string, (results: Results) => string>> = {
  times: (results) => draw(timesAt(results, 1000), { width: 900, height: 760 }),
  growth: (results) => draw(growth(results), { width: 900, height: 560 }),
  state: (results) => draw(stateAt(results, 1000), { width: 900, height: 420 }),
};

function timesAt(results: Results, groups: number): echarts.EChartsOption {
  const shown = present(results, groups);
  return {
    ...frame("Seconds for 1,000 groups (median; logarithmic)"),
    legend,
    grid: { left: 270, right: 60, top: 60, bottom: 70 },
    xAxis: { type: "log", min: 0.5, startValue: 0.5, name: "s", axisLabel: { formatter: plain } },
    yAxis: { type: "category", inverse: true, data: shown.map(({ title }) => unquoted(title)) },
    series: operations.map((operation) => ({
      name: capital(operation),
      type: "bar" as const,
      data: shown.map(({ id }) => seconds(results, id, groups, operation)),
    })),
  };
}

function growth(results: Results): echarts.EChartsOption {
  const sizes = [100, 1000, 10_000];
  const shown = contestants.filter(({ id }) => lines.includes(id));
  return {
    ...frame("Seconds for up by number of groups (median; both axes logarithmic)"),
    legend,
    grid: { left: 70, right: 70, top: 60, bottom: 130 },
    xAxis: { type: "log", min: 100, name: "groups", axisLabel: { formatter: plain } },
    yAxis: { type: "log", min: 0.5, name: "s", axisLabel: { formatter: plain } },
    series: shown.map(({ id, title }) => ({
      name: unquoted(title),
      type: "line" as const,
      symbolSize: 8,
      data: sizes.flatMap((size) => {
        const value = seconds(results, id, size, "up");
        return value === null ? [] : [[size, value]];
      }),
    })),
  };
}

const lines = [
  "a-user-groups",
  "a-user-groups-ts",
  "b-user-group",
  "c-inline",
  "d-nothing-skip",
  "e-opentofu",
];

function stateAt(results: Results, groups: number): echarts.EChartsOption {
  const shown = present(results, groups);
  return {
    ...frame("State bytes a group, with 1,000 groups"),
    grid: { left: 270, right: 80, top: 60, bottom: 40 },
    xAxis: { type: "value" },
    yAxis: { type: "category", inverse: true, data: shown.map(({ title }) => unquoted(title)) },
    series: {
      type: "bar",
      label: { show: true, position: "right", formatter: ({ value }) => plain(Number(value)) },
      data: shown.map(({ id }) => Math.round(stateBytesOf(results, { contestant: id, groups })?.median ?? 0)),
    },
  };
}

/** Wide apart, since texts can't be measured here. */
const legend = { bottom: 0, left: "center" as const, width: 620, itemGap: 40 };

/** Colours that those who don't see red and green tell apart as well (Okabe and Ito), on white in a dark page too. */
function frame(text: string): echarts.EChartsOption {
  return {
    title: { text, left: "center", textStyle: { fontSize: 16 } },
    backgroundColor: "#ffffff",
    color: ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"],
    textStyle: { fontFamily: "sans-serif" },
    animation: false,
  };
}

function draw(option: echarts.EChartsOption, size: { width: number; height: number }): string {
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, ...size });
  chart.setOption(option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}

function seconds(
  results: Results,
  contestant: string,
  groups: number,
  operation: (typeof operations)[number],
) {
  const measured = valuesOf(results, { contestant, groups }, operation, (each) => each.seconds);
  return spreadOf(measured)?.median ?? null;
}

function present(results: Results, groups: number) {
  return contestants.filter(({ id }) => runsOf(results, { contestant: id, groups }).length > 0);
}

function plain(value: number): string {
  return value.toLocaleString("en-US");
}

function unquoted(title: string): string {
  return title.replaceAll("`", "");
}
