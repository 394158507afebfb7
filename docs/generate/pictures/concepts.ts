/** Pictures of the concepts: data flow, the choice of a resource, the life of a group, a change and a rotation over time. */
import { arrow, box, card, line, text, type Picture } from "./svg";

export const dataFlow: Picture = {
  title: "Data flow",
  description:
    "The program declares groups. pulumi up compares it with the state, and gives each change to the provider, this package. The " +
    "provider sends get-or-create and delete to the service with the API token, and gets the group's token, which the state stores " +
    "encrypted. The application gets the token as an output and embeds dashboards with it.",
  width: 440,
  height: 344,
  shapes: [
    ...card(16, 16, 130, ["program", "declares groups"]),
    ...card(294, 16, 130, ["state", "inputs, tokens"]),
    ...card(294, 144, 130, ["provider", "this package"]),
    ...card(294, 272, 130, ["service", "has the groups"]),
    ...card(16, 144, 130, ["application", "embeds dashboards"]),
    arrow("M148 36H292"),
    text(220, 30, "preview, up", "note middle small"),
    arrow("M330 74V142"),
    text(324, 112, "change", "note end small"),
    arrow("M388 142V74"),
    text(382, 112, "token", "note end small"),
    arrow("M330 202V270"),
    text(324, 240, "request", "note end small"),
    arrow("M388 270V202"),
    text(382, 240, "token", "note end small"),
    arrow("M292 58H230V172H148"),
    text(224, 128, "output", "note end small"),
    text(224, 142, "(secret)", "note end small"),
    arrow("M81 202V304H292"),
    text(186, 298, "dashboard with token", "note middle small"),
  ],
};

export const choice: Picture = {
  title: "UserGroup, UserGroups or several stacks",
  description:
    "Up to a few hundred customers: one UserGroup each. Up to about 40,000: one UserGroups for all. More, or teams that deploy on " +
    "their own: several stacks with a UserGroups each.",
  width: 440,
  height: 330,
  shapes: [
    ...card(120, 16, 200, ["How many customers?"]),
    arrow("M160 54L90 104"),
    text(110, 72, "a few hundred", "note end small"),
    arrow("M220 54V104"),
    text(226, 84, "thousands", "note small halo"),
    arrow("M270 54L340 104"),
    text(424, 68, "more than 40,000,", "note end small"),
    text(424, 86, "or several teams", "note end small"),
    ...card(12, 106, 132, ["UserGroup", "one for each"]),
    ...card(154, 106, 132, ["UserGroups", "one for all"]),
    ...card(296, 106, 132, ["several stacks", "a UserGroups each"]),
    ...["a line for each", "group in previews;", "protect and --target", "for a single group"].map(
      (each, index) => text(78, 190 + 18 * index, each, "middle small"),
    ),
    ...["counts and names", "in previews;", "deletionLimit", "guards the list"].map((each, index) =>
      text(220, 190 + 18 * index, each, "middle small"),
    ),
    ...["one limit over all;", "a failed stack", "doesn't stop", "the others"].map((each, index) =>
      text(362, 190 + 18 * index, each, "middle small"),
    ),
    line("M16 268H424", "grid"),
    text(220, 292, "The groups in the service are the same,", "note middle small"),
    text(220, 310, "and they move between the three with their tokens.", "note middle small"),
  ],
};

export const pipeline: Picture = {
  title: "Which job has which secret",
  description:
    "The job of a pull request runs pulumi preview with the state and its key, or without any secret in the variant for forks. The job of " +
    "the main branch runs pulumi up with the API token, the state and its key, and then delivers the tokens. The nightly job refreshes " +
    "with the same secrets.",
  width: 440,
  height: 326,
  shapes: [
    text(16, 30, "job", "note small"),
    text(176, 30, "state and key", "note small"),
    text(286, 30, "API token", "note small"),
    text(374, 30, "sends", "note small"),
    ...job(42, "pull request", "pulumi preview", ["yes", "no", "nothing"]),
    ...job(108, "from a fork", "pulumi preview", ["no", "no", "nothing"]),
    ...job(174, "main branch", "pulumi up", ["yes", "yes", "changes"]),
    ...job(240, "each night", "pulumi refresh", ["yes", "yes", "reads"]),
    text(220, 315, "A read of the night creates a group that is gone.", "note middle small"),
  ],
};

function job(y: number, name: string, command: string, cells: readonly string[]): string[] {
  const columns = [176, 286, 374];
  return [
    ...card(12, y, 148, [name, command]),
    ...cells.flatMap((content, index) => {
      const x = columns[index] ?? 0;
      const isSecret = content === "yes";
      const width = index === 2 ? 56 : 72;
      return [
        box(x, y + 12, width, 32, isSecret ? "bad" : "good"),
        text(x + width / 2, y + 33, content, "middle small"),
      ];
    }),
  ];
}
