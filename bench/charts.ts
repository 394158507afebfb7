// The charts of docs/performance.md, drawn by ECharts as SVG.
import * as echarts from "echarts";
import { contestants } from "./contestants";
import { secondsOf, type Operation, type Results } from "./results";

export const charts: Readonly<Record<string, (results: Results) => string>> = {
  up: (results) => draw(results, "up", 50),
  preview: (results) => draw(results, "preview", 0),
};

const shown = [
  "a-user-groups",
  "a-user-groups-ts",
  "b-user-group",
  "c-yaml",
  "f-opentofu",
  "f-opentofu-for-each",
];

function draw(results: Results, operation: Operation, latency: number): string {
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width: 900, height: 520 });
  const note = latency > 0 ? `, ${latency} ms for each response` : "";
  chart.setOption({
    title: { text: `Seconds for ${operation} by number of groups${note}`, left: "center" },
    // Colors that differ for color-blind readers too (Okabe and Ito), on white in a dark page too.
    color: ["#0072b2", "#56b4e9", "#009e73", "#cc79a7", "#d55e00", "#e69f00"],
    backgroundColor: "#ffffff",
    animation: false,
    legend: { bottom: 0, width: 700, itemGap: 30 },
    grid: { left: 70, right: 70, top: 60, bottom: 100 },
    xAxis: { type: "log", min: 10, name: "groups", axisLabel: { formatter: plain } },
    yAxis: { type: "log", min: 0.1, name: "s", axisLabel: { formatter: plain } },
    series: contestants
      .filter(({ id }) => shown.includes(id))
      .map(({ id, title }) => ({
        name: title.replaceAll("`", ""),
        type: "line" as const,
        symbolSize: 8,
        data: points(results, id, operation, latency),
      })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}

function points(results: Results, contestant: string, operation: Operation, latency: number): number[][] {
  return [10, 100, 1000, 10_000].flatMap((groups) => {
    const seconds = secondsOf(results, { contestant, groups, latency }, operation);
    return seconds ? [[groups, seconds.median]] : [];
  });
}

function plain(value: number): string {
  return value.toLocaleString("en-US");
}
