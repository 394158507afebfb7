/** The steps of a probe → what get-or-create does with an existing group, as far as a response has shown what is stored. */
import { isEqual } from "../../values";
import { isWay, marks, type Step } from "./probe";
import { ok, unknown, type Finding } from "./report";

/** `unknown`: the responses only had values of their own requests, or contradicted each other. */
type Effect = "keeps" | "updates" | "unknown";

export interface Existing {
  readonly name: Effect;
  readonly properties: Effect;
  /** What happens to a property that an update leaves out. */
  readonly removed: "goes" | "stays" | "unknown";
  /** What happens to the properties if an update leaves out all of them. */
  readonly allRemoved: "go" | "stay" | "unknown";
}

type Field = "name" | "properties";

export function existingIn(steps: readonly Step[]): Existing {
  const firstDeletion = steps.findIndex(({ purpose }) => isWay(purpose));
  const before = firstDeletion < 0 ? steps : steps.slice(0, firstDeletion);
  const properties = effectOn("properties", before);
  const isUpdated = properties === "updates";
  return {
    name: effectOn("name", before),
    properties,
    removed: isUpdated ? removedIn(before) : "unknown",
    allRemoved: isUpdated ? allRemovedIn(before) : "unknown",
  };
}

/** Whether get-or-create does all that `changes: update` needs of it. */
export function isUpdating({ name, properties, removed }: Existing): boolean {
  return name === "updates" && properties === "updates" && removed === "goes";
}

export function existingReadings(existing: Existing): Finding[] {
  const { name, properties, removed, allRemoved } = existing;
  const findings = effects.flatMap((effect) => {
    const fields = [name === effect && "name", properties === effect && "properties"].filter(Boolean);
    return fields.length > 0 ? [effectReadings[effect](fields.join(" and "))] : [];
  });
  if (removed === "stays")
    findings.push(ok("Get-or-create merges properties: one that a request leaves out stays"));
  if (isUpdating(existing) && allRemoved !== "go") findings.push(allRemovedReadings[allRemoved]);
  return findings;
}

const effects = ["keeps", "updates", "unknown"] as const;

const effectReadings: Readonly<Record<Effect, (fields: string) => Finding>> = {
  keeps: (fields) => ok(`Get-or-create keeps the ${fields} of an existing group`),
  updates: (fields) => ok(`Get-or-create updates the ${fields} of an existing group`),
  unknown: (fields) =>
    unknown(
      `Get-or-create may update the ${fields} of an existing group, or only repeat the request: nothing stored was seen`,
      "Ask the service's operator, or change a group and look at it in the service's own pages.",
    ),
};

const allRemovedReadings = {
  stay: {
    status: "warning",
    text: "Get-or-create keeps all properties if a request has none, so a change that removes all of them isn't applied",
    remedy: "For such a change, change keepers too, or leave one property.",
  },
  unknown: unknown("Whether a change that removes all properties is applied wasn't seen"),
} as const satisfies Record<string, Finding>;

/** A mark of the latest request that a response shows to another request is an update. An older one shows that the value is kept. */
function effectOn(field: Field, steps: readonly Step[]): Effect {
  const seen = new Set<Effect>();
  let latest: string = marks.first;
  for (const { sent, group } of steps) {
    latest = marksIn(sent[field])[0] ?? latest;
    for (const mark of marksIn(group?.[field]))
      if (!marksIn(sent[field]).includes(mark)) seen.add(mark === latest ? "updates" : "keeps");
  }
  const [effect, ...others] = seen;
  return effect !== undefined && others.length === 0 ? effect : "unknown";
}

function marksIn(value: unknown): string[] {
  return [marks.first, marks.second, marks.third].filter((mark) => hasMark(value, mark));
}

/** Whatever blanks and case have become. */
function hasMark(value: unknown, mark: string): boolean {
  if (value === undefined) return false;
  return JSON.stringify(value).toLowerCase().includes(mark.toLowerCase());
}

/** For a service that updates properties. */
function removedIn(steps: readonly Step[]): Existing["removed"] {
  const [create, ...later] = steps;
  if (!hasMark(create?.group?.properties, marks.removed)) return "unknown";
  return later.some(({ group }) => hasMark(group?.properties, marks.removed)) ? "stays" : "goes";
}

/** For a service that updates properties. */
function allRemovedIn(steps: readonly Step[]): Existing["allRemoved"] {
  const omit = steps.findIndex(({ purpose }) => purpose === "omit");
  const [omitted, ...reads] = omit < 0 ? [] : steps.slice(omit);
  const shown = [omitted, ...reads].map((step) => step?.group?.properties);
  if (shown.some((properties) => hasMark(properties, marks.second))) return "stay";
  const isSeen = reads.some(({ group }) => group && isEqual(group.properties, undefined));
  return isSeen ? "go" : "unknown";
}
