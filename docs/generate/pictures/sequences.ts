/** Pictures of what happens to a group over time. */
import { arrow, card, line, text, type Picture } from "./svg";

const lifelines = { "pulumi up": 70, service: 220, application: 370 };
type Lifeline = keyof typeof lifelines;

export const rotation: Picture = {
  title: "A rotation with overlap, as a sequence",
  description:
    "The first up creates a group acme~2 in the service, which returns a new token. Both tokens are valid. The new token is delivered " +
    "to the application, which renders dashboards with it. The next up deletes the former group, and the old token ends.",
  width: 440,
  height: 438,
  shapes: [
    ...Object.entries(lifelines).flatMap(([name, x]) => [
      ...card(x - 60, 14, 120, [name]),
      line(`M${x} 52V422`, "arrow dashed"),
    ]),
    ...message(84, "application", "service", "dashboard, old token"),
    text(16, 116, "1. keepers change", "head"),
    ...message(146, "pulumi up", "service", "creates acme~2"),
    ...message(180, "service", "pulumi up", "new token"),
    ...message(214, "application", "service", "dashboard, old token"),
    text(16, 246, "2. the new token is delivered", "head"),
    ...message(276, "pulumi up", "application", "stack output, or a secret store"),
    ...message(310, "application", "service", "dashboard, new token"),
    text(16, 342, "3. the next up", "head"),
    ...message(372, "pulumi up", "service", "deletes acme"),
    ...message(406, "application", "service", "dashboard, new token"),
  ],
};

function message(y: number, from: Lifeline, to: Lifeline, label: string): string[] {
  const start = lifelines[from];
  const end = lifelines[to];
  const gap = start < end ? 2 : -2;
  return [
    arrow(`M${start + gap} ${y}H${end - gap}`),
    text((start + end) / 2, y - 6, label, "note middle small halo"),
  ];
}

export const life: Picture = {
  title: "The life of a group",
  description:
    "An absent group is created by up, and then owned. A group that exists is adopted when it is declared. A change with overlap leaves a " +
    "former group, which the next up deletes. A retained group stays in the service without a state, and is adopted when it is declared again.",
  width: 440,
  height: 400,
  shapes: [
    ...card(162, 14, 124, ["absent", "not in the service"]),
    ...card(40, 168, 122, ["owned", "this stack made it"]),
    ...card(296, 168, 118, ["adopted", "it existed before"]),
    ...card(40, 326, 122, ["former", "until the next up"]),
    ...card(296, 326, 118, ["retained", "in no state"]),
    arrow("M180 72L130 166"),
    text(162, 132, "up creates", "note small halo"),
    arrow("M82 166V54H160"),
    text(120, 48, "up deletes", "note middle small"),
    arrow("M354 166V43H288"),
    text(323, 36, "up deletes", "note middle small"),
    arrow("M38 352H16V30H160"),
    text(88, 24, "the next up deletes", "note middle small"),
    arrow("M164 188H294"),
    text(229, 180, "another token found", "note middle small"),
    arrow("M294 210H164"),
    text(229, 228, "keepers change", "note middle small"),
    arrow("M104 226V324"),
    text(110, 268, "a change", "note small"),
    text(110, 284, "with overlap", "note small"),
    arrow("M326 226V324"),
    text(320, 268, "left out, with", "note end small"),
    text(320, 284, "retainOnDelete", "note end small"),
    arrow("M366 324V226"),
    text(372, 276, "declared", "note small"),
  ],
};
