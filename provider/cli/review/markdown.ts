/**
 * A review as Markdown for a comment. Each text of a program or a customer stands in a code span, in which nothing is a mention, a link, HTML or a
 * table, and nothing ends the span.
 */
import { formerGroupText } from "../../core/messages/warnings";
import { escaped } from "../../text";
import { isObject } from "../../values";
import {
  unknownText,
  outcomes,
  type CustomerReview,
  type GuardReview,
  type Note,
  type Outcome,
  type Review,
} from "./outcomes";
import { hasHidden, isHidden } from "./secrets";

/** The first line, by which a workflow finds the comment of an earlier run. */
const marker = "<!-- pulumi-user-groups review -->";

/** A reviewer reads no more of each kind. */
const mostItems = 50;

/** Of a comment on GitHub, with what a workflow adds: it has at most 65,536 characters. */
const mostCharacters = 60_000;

/** How a heading continues after the number of customers. */
const headings: Readonly<Record<Outcome, readonly [one: string, many: string]>> = {
  deleted: ["is deleted: its dashboards end", "are deleted: their dashboards end"],
  newToken: [
    "gets a new token, and is blank until you deliver it",
    "get a new token, and are blank until you deliver it",
  ],
  newTokenWithOverlap: [
    "gets a new token: deliver it while the old one stays valid",
    "get a new token: deliver it while the old one stays valid",
  ],
  formerToken: ["gets an earlier token back: deliver it", "get an earlier token back: deliver it"],
  refused: ["can't be moved or deleted: up fails", "can't be moved or deleted: up fails"],
  retained: [
    "leaves the state: its token stays valid, and later deliveries don't have it",
    "leave the state: their tokens stay valid, and later deliveries don't have them",
  ],
  moved: ["moves and keeps its token", "move and keep their tokens"],
  updated: ["is updated and keeps its token", "are updated and keep their tokens"],
  created: ["is created, or adopted if it exists", "are created, or adopted if they exist"],
  stateOnly: ["changes in the state only", "change in the state only"],
};

export function markdownOf({ customers, guards, notes }: Review): string {
  const ofCustomers = outcomes.map((outcome) => {
    const items = customers.filter((each) => each.outcome === outcome);
    return section(
      `${counted(items)} ${headings[outcome][items.length === 1 ? 0 : 1]}`,
      items.map(customerLine),
    );
  });
  const mappings = customers.filter(({ mapping }) => mapping !== undefined);
  const sections = [
    ...ofCustomers,
    section(
      `${mappings.length === 1 ? "A mapping is" : `${mappings.length} mappings are`} new or changed: is each data source this customer's?`,
      mappings.map(mappingLine),
    ),
    section("Guards that change", guards.map(guardLine)),
    section("Also", notes.map(noteLine)),
  ].filter(({ items }) => items.length > 0);
  const text = sections.length > 0 ? fitted(sections) : "No customer changes.";
  return `${marker}\n**User groups: what this change does to customers**\n\n${text}`;
}

interface Section {
  readonly heading: string;
  readonly items: readonly string[];
}

function section(heading: string, items: readonly string[]): Section {
  return { heading, items };
}

/** `3 customers`, `possibly 1 customer`, or `3 customers (1 of them possibly)`. */
function counted(customers: readonly CustomerReview[]): string {
  const possible = customers.filter(({ isPossible }) => isPossible).length;
  const count = `${customers.length} ${customers.length === 1 ? "customer" : "customers"}`;
  if (possible === 0) return count;
  return possible === customers.length ? `Possibly ${count}` : `${count} (${possible} of them possibly)`;
}

/** All sections have the same room. */
function fitted(sections: readonly Section[]): string {
  const room = mostCharacters / sections.length;
  return sections.map((each) => textOf(each, room)).join("\n\n");
}

function textOf({ heading, items }: Section, room: number): string {
  let length = heading.length;
  const shown = items.slice(0, mostItems).filter((item) => {
    length += item.length + 3;
    return length < room;
  });
  const more = items.length - shown.length;
  const lines = more > 0 ? [...shown, `and ${more} more`] : shown;
  return `**${heading}**\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

function customerLine(customer: CustomerReview): string {
  const { isPossible, outcome, resource, from, overlapHours, mapping } = customer;
  const parts = [`${isPossible ? "possibly " : ""}${nameOf(customer)}`];
  const name = resourceName(resource);
  if (from === undefined) parts.push(`in ${name}`);
  else if (outcome === "refused") parts.push(`in ${resourceName(from)} and ${name}`);
  else parts.push(`from ${resourceName(from)} to ${name}`);
  parts.push(...customer.reasons);
  if (overlapHours !== undefined)
    parts.push(
      `${outcome === "formerToken" ? "the token of today" : "the old token"} ${formerGroupText(overlapHours)}`,
    );
  if (outcome === "created" && !mapping) parts.push("no mapping");
  return parts.join("; ");
}

/** The ID, and the name if it is another text. */
function nameOf({ userGroupId, name, nameBefore }: CustomerReview): string {
  if (nameBefore !== undefined)
    return `${code(userGroupId)} (${code(nameBefore)} → ${code(name ?? unknownText)})`;
  return name === undefined || name === userGroupId
    ? code(userGroupId)
    : `${code(userGroupId)} (${code(name)})`;
}

function mappingLine(customer: CustomerReview): string {
  const { before, after } = customer.mapping ?? {};
  return `${customer.isPossible ? "possibly " : ""}${nameOf(customer)}: ${differences(before, after).join(", ")}`;
}

/** Of two objects only what differs. */
function differences(before: unknown, after: unknown): string[] {
  if (!isObject(before) || !isObject(after)) return [change(before, after)];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const isOther = (key: string) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  const differing = keys.filter((key) => isOther(key) || hasHidden(after[key]));
  const shown = differing.slice(0, mostKeys).map((key) => `${code(key)} ${change(before[key], after[key])}`);
  return differing.length > mostKeys ? [...shown, `and ${differing.length - mostKeys} more keys`] : shown;
}

const mostKeys = 10;

/** Two long values may be cut to the same text. */
function change(before: unknown, after: unknown): string {
  const texts = [valueText(before), valueText(after)];
  const isCut = texts[0] === texts[1] && texts[0]?.includes("…") === true;
  return `${texts.join(" → ")}${isCut ? ", which differ further on" : ""}`;
}

function valueText(value: unknown): string {
  if (value == null) return "none";
  const isWord = typeof value === "string" && (value === unknownText || isHidden(value));
  return code(isWord ? value : JSON.stringify(value));
}

function guardLine({ resource, guard, before, after }: GuardReview): string {
  return `${resourceName(resource)}: the argument ${code(guard)}, ${valueText(before)} → ${valueText(after)}`;
}

function noteLine({ resource, text }: Note): string {
  const name = resource === "" ? "" : `${resourceName(resource)}: `;
  return `${name}${/ \[[a-z-]+\]$/.test(text) ? code(text, 1000) : text}`;
}

/** The name of a resource, with its kind. */
function resourceName(urn: string): string {
  const [type = "", name = ""] = urn.split("::").slice(-2);
  return `${type.endsWith("s") ? "UserGroups" : "UserGroup"} ${code(name)}`;
}

/** A code span. Its text has no backquote, and so no end before its own. */
function code(text: string, limit = 200): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  const inert = escaped(cut).replaceAll("`", "\\u0060");
  return `\`${inert === "" ? " " : inert}\``;
}
