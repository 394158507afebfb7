/** Pictures of what happens to a group over time. */
import { arrow, box, line, text, type Picture } from "./svg";

export const rename: Picture = {
  title: "A rename over time",
  description:
    "The preview warns that the group gets a new token. pulumi up deletes the group, which ends the old token, and creates it again with " +
    "a new one. The customer's dashboards are blank from the deletion until the application has the new token.",
  width: 440,
  height: 336,
  shapes: [
    ...mark(70, ["preview", "warns"]),
    ...mark(173, ["pulumi up", "deletes, creates"]),
    ...mark(326, ["the new token", "is delivered"]),
    arrow("M16 70H424"),
    ...[70, 150, 196, 300].map((x) => line(`M${x} 62V320`, "arrow dashed")),
    ...bar(94, "old token", [[16, 150, "good", "valid"]]),
    ...bar(154, "new token", [[196, 424, "good", "valid"]]),
    ...bar(214, "your application sends", [
      [16, 300, "box", "the old token"],
      [300, 424, "box", "the new token"],
    ]),
    ...bar(274, "dashboards", [
      [16, 150, "good", "render"],
      [150, 300, "bad", "blank"],
      [300, 424, "good", "render"],
    ]),
  ],
};

type Part = readonly [from: number, to: number, classes: string, label: string];

function bar(y: number, heading: string, parts: readonly Part[]): string[] {
  return [
    text(16, y, heading, "head"),
    ...parts.flatMap(([from, to, classes, label]) => [
      box(from, y + 8, to - from, 30, classes),
      text((from + to) / 2, y + 28, label, "middle"),
    ]),
  ];
}

function mark(x: number, lines: readonly string[]): string[] {
  return lines.map((content, index) =>
    text(x, 30 + 18 * index, content, index === 0 ? "middle" : "note middle"),
  );
}
