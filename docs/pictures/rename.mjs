import { arrow, box, picture, text } from "./svg.mjs";

/** Moments of a rename, from left to right. */
const [start, preview, deletion, creation, handOver, end] = [170, 250, 400, 500, 720, 876];

const moments = [
  [preview, "pulumi preview", "warns of the new token"],
  [deletion, "delete", ""],
  [creation, "get-or-create", ""],
  [handOver, "you hand the token on", ""],
];

const rows = [
  ["old token", [start, deletion, "good", "valid"]],
  ["new token", [creation, end, "good", "valid"]],
  [
    "your application",
    [start, handOver, "box", "sends the old token"],
    [handOver, end, "box", "the new one"],
  ],
  [
    "dashboards",
    [start, deletion, "good", "render"],
    [deletion, handOver, "bad", "blank"],
    [handOver, end, "good", "render"],
  ],
];

export const rename = picture(
  {
    title: "A rename over time",
    description:
      "The preview warns that the group gets a new token. pulumi up deletes the group, which ends the old token, and creates " +
      "it again with a new one. The customer's dashboards are blank from the deletion until you have handed the new token on " +
      "to your application.",
    width: 900,
    height: 330,
  },
  [
    text((deletion + creation) / 2, 30, "pulumi up", "head middle"),
    arrow(`M${start} 84H${end}`),
    ...moments.flatMap(([x, name, note]) => [
      `<path class="arrow" d="M${x} 78V306" stroke-dasharray="3 4"/>`,
      text(x, 56, name, "middle"),
      text(x, 72, note, "note middle"),
    ]),
    ...rows.flatMap(([name, ...spans], place) => [
      text(24, 126 + 50 * place, name, "head"),
      ...spans.flatMap(([from, to, kind, label]) => [
        box({ x: from, y: 104 + 50 * place, width: to - from, height: 34, kind }),
        text((from + to) / 2, 126 + 50 * place, label, "middle"),
      ]),
    ]),
  ],
);
