import { arrow, box, picture, text } from "./svg.mjs";

const stations = [
  ["program", "declares groups"],
  ["state", "inputs, tokens"],
  ["provider", "this package"],
  ["service", "holds the groups"],
  ["application", "embeds dashboards"],
];

/** The numbers stand at the arrows. */
const steps = [
  "1  pulumi preview compares the program with the state. No request is sent.",
  "2  pulumi up gives the provider each change, with what the state has of the group.",
  "3  The provider sends get-or-create and delete, with the API token.",
  "4  The service returns the group's token. The state stores it encrypted.",
  "5  Your application gets the token: an output of the stack.",
  "6  It embeds dashboards with the token. The service renders them.",
];

export const dataFlow = picture(
  {
    title: "Data flow",
    description: `From the program through state, provider and service to the embedding application. ${steps.join(" ")}`,
    width: 900,
    height: 330,
  },
  [
    ...stations.flatMap(([name, task], place) => [
      box({ x: left(place), y: 60, width: 152, height: 64 }),
      text(left(place) + 76, 87, name, "head middle"),
      text(left(place) + 76, 108, task, "note middle"),
    ]),
    ...[0, 1, 2].flatMap((place) => [
      arrow(`M${left(place) + 154} 92H${left(place + 1) - 2}`),
      text(left(place) + 164, 84, String(place + 1), "note middle"),
    ]),
    arrow(`M${left(4) - 2} 92H${left(3) + 154}`),
    text(left(3) + 164, 84, "6", "note middle"),
    arrow(`M${left(3) + 76} 126V152H${left(1) + 76}V126`),
    text(left(2) + 76, 146, "4", "note middle"),
    arrow(`M${left(1) + 76} 58V32H${left(4) + 76}V58`),
    text(left(2) + 164, 26, "5", "note middle"),
    ...steps.map((step, place) => text(24, 186 + 24 * place, step)),
  ],
);

function left(place) {
  return 24 + 178 * place;
}
