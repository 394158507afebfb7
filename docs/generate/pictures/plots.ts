/** Log-log plots of the newest results in bench/results. */
import { at, secondsOf, type Operation, type Results } from "../../../bench/results";
import { newestResults } from "../measurements";
import { line, round, text, type Picture } from "./svg";

interface Series {
  readonly contestant: string;
  readonly label: string;
  readonly color: "one" | "two" | "three" | "four";
}

const series: readonly Series[] = [
  { contestant: "a-user-groups", label: "UserGroups, JavaScript", color: "one" },
  { contestant: "c-javascript", label: "UserGroups, plugin", color: "two" },
  { contestant: "f-opentofu", label: "OpenTofu, count", color: "three" },
  { contestant: "f-opentofu-for-each", label: "OpenTofu, for_each", color: "four" },
];

const sizes = [10, 100, 1000, 10_000];
const seconds = [0.1, 1, 10, 100, 1000];
const area = { left: 58, right: 410, top: 44, bottom: 292 };

export function plots(): [name: string, picture: Picture][] {
  return [
    ["performance-up", plot("up", "Seconds for pulumi up or tofu apply")],
    ["performance-preview", plot("preview", "Seconds for pulumi preview or tofu plan")],
  ];
}

function plot(operation: Operation, title: string): Picture {
  const { results } = newestResults();
  const lines = series.map((each) => ({ ...each, points: pointsOf(results, each.contestant, operation) }));
  const last = lines.flatMap(({ label, points }) => {
    const point = points.at(-1);
    return point
      ? `${label}: ${point.seconds.toFixed(1)} s for ${point.groups.toLocaleString("en-US")} groups`
      : [];
  });
  return {
    title,
    description: `Both axes are logarithmic. ${last.join("; ")}.`,
    width: 440,
    height: 422,
    shapes: [
      text(16, 28, title, "head"),
      ...axes(),
      ...lines.flatMap((each) => shapesOf(each)),
      ...legend(lines),
    ],
  };
}

interface Point {
  readonly groups: number;
  readonly seconds: number;
}

function pointsOf(results: Results, contestant: string, operation: Operation): Point[] {
  return sizes.flatMap((groups) => {
    const spread = secondsOf(results, at(contestant, groups), operation);
    return spread ? { groups, seconds: spread.median } : [];
  });
}

function axes(): string[] {
  return [
    ...seconds.flatMap((value) => [
      line(`M${area.left} ${y(value)}H${area.right}`, "grid"),
      text(area.left - 8, y(value) + 4, value.toLocaleString("en-US"), "note end small"),
    ]),
    ...sizes.flatMap((value) => [
      line(`M${x(value)} ${area.top}V${area.bottom}`, "grid"),
      text(x(value), area.bottom + 18, value.toLocaleString("en-US"), "note middle small"),
    ]),
    text((area.left + area.right) / 2, area.bottom + 36, "groups", "note middle small"),
  ];
}

function shapesOf({ color, points }: Series & { points: readonly Point[] }): string[] {
  const path = points.map(({ groups, seconds: value }, index) => {
    return `${index === 0 ? "M" : "L"}${x(groups)} ${y(value)}`;
  });
  const dots = points.map(({ groups, seconds: value }) => {
    return `<circle class="dot" cx="${x(groups)}" cy="${y(value)}" r="4" fill="var(--${color})"/>`;
  });
  return [line(path.join(""), `series ${color}`), ...dots];
}

/** Below the plot, with the value at the end of each line. */
function legend(lines: readonly (Series & { points: readonly Point[] })[]): string[] {
  return lines.flatMap(({ color, label, points }, index) => {
    const column = index % 2;
    const left = 20 + 212 * column;
    const top = area.bottom + 64 + 36 * Math.floor(index / 2);
    const point = points.at(-1);
    const value = point ? `${shown(point.seconds)} s for ${point.groups.toLocaleString("en-US")}` : "";
    return [
      line(`M${left} ${top - 4}H${left + 22}`, `series ${color}`),
      text(left + 30, top, label, "small"),
      text(left + 30, top + 16, value, "note small"),
    ];
  });
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

function x(groups: number): number {
  const width = area.right - area.left - 16;
  return round(area.left + 8 + (width * (Math.log10(groups) - 1)) / 3);
}

function y(value: number): number {
  const height = area.bottom - area.top;
  return round(area.bottom - (height * (Math.log10(value) + 1)) / 4);
}
