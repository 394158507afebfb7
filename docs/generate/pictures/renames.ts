/** The measured renames (watch.ts) as two time lines: which tokens were valid, and when the customer's page was blank. */
import { z } from "zod";
import { readPage } from "../markdown";
import { box, line, round, text, type Picture } from "./svg";

/** Times in milliseconds since the start of the `up` with the new name. */
const watched = z.object({
  loads: z.number(),
  blank: z.array(z.number()).readonly(),
  requests: z.array(z.object({ at: z.number(), effect: z.string() })).readonly(),
  delivered: z.number(),
  ended: z.number(),
});

const renames = z.object({ without: watched, with: watched });

export type Renames = z.infer<typeof renames>;
type Watched = z.infer<typeof watched>;

const area = { left: 126, right: 424 };
const rowHeight = 26;

/** For docs/changes.md. */
export function renamesPart(): string {
  const { without, with: overlapped } = measured();
  const seconds = ((without.blank.at(-1) ?? 0) - (without.blank[0] ?? 0)) / 1000;
  return (
    "Measured with [examples/embedding](../examples/embedding) and the emulator: a Chromium reloaded a customer's page every 200 ms while " +
    "`npm run deploy` renamed the customer and delivered the token, and `pulumi up` ran once more. A load is blank if the token of the page " +
    `belongs to no group. Without \`overlap\`, ${counted(without)}, over ${seconds.toFixed(1)} s. With it, ${counted(overlapped)} ` +
    "(`npm run docs:watch`)."
  );
}

function measured(): Renames {
  return renames.parse(JSON.parse(readPage("docs/pictures/renames.json")));
}

export function rename(): Picture {
  const { without, with: overlapped } = measured();
  const last = Math.max(without.ended, overlapped.ended);
  const x = (at: number) => round(area.left + ((area.right - area.left) * at) / last);
  const ticks = Array.from({ length: Math.floor(last / 10_000) + 1 }, (_, index) => 10_000 * index);
  return {
    title: "A rename without and with overlap, measured",
    description:
      `Without overlap, ${counted(without)}: from the deletion of the group until the new token was delivered. With overlap, ` +
      `${counted(overlapped)}: the former token stays valid until the next up.`,
    width: 440,
    height: 322,
    shapes: [
      ...ticks.flatMap((at) => [
        line(`M${x(at)} 30V272`, "grid"),
        text(x(at), 290, String(at / 1000), "note middle small"),
      ]),
      text((area.left + area.right) / 2, 308, "seconds since pulumi up", "note middle small"),
      ...timeline(24, `without overlap: ${counted(without)}`, without, x),
      ...timeline(154, `with overlap: ${counted(overlapped)}`, overlapped, x),
    ],
  };
}

function counted({ loads, blank }: Watched): string {
  return `${blank.length} of ${loads} loads were blank`;
}

/** The former token is valid from the start, and the new one to the end. */
function timeline(y: number, heading: string, facts: Watched, x: (at: number) => number): string[] {
  const { requests, blank, delivered, ended } = facts;
  const timeOf = (effect: string) => requests.find((each) => each.effect.endsWith(effect))?.at ?? 0;
  const rows: [label: string, spans: readonly [from: number, to: number, classes: string][]][] = [
    ["old token", [[0, timeOf("deleted"), "box"]]],
    ["new token", [[timeOf("created"), ended, "box"]]],
    ["customer's page", pageSpans(blank, ended)],
  ];
  const mark = x(delivered);
  return [
    text(16, y, heading, "head"),
    ...rows.flatMap(([label, spans], index) => {
      const top = y + 10 + rowHeight * index;
      const boxes = spans.map(([from, to, classes]) =>
        box(x(from), top, round(x(to) - x(from)), rowHeight - 6, classes),
      );
      return [text(16, top + 15, label, "note small"), ...boxes];
    }),
    line(`M${mark} ${y + 8}V${y + 12 + rowHeight * rows.length}`, "arrow dashed"),
    text(mark - 6, y + 24 + rowHeight * rows.length, "new token delivered", "note end small halo"),
  ];
}

function pageSpans(blank: readonly number[], ended: number): [from: number, to: number, classes: string][] {
  const [first] = blank;
  const last = blank.at(-1);
  if (first === undefined || last === undefined) return [[0, ended, "good"]];
  return [
    [0, first, "good"],
    [first, last, "bad"],
    [last, ended, "good"],
  ];
}
