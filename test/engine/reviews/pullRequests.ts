/** Ten pull requests against one program: what a reviewer must know of each. The recorded previews are those of the real engine. */

export interface PullRequest {
  readonly title: string;
  /** What replaces texts of the program. */
  readonly changes: Readonly<Record<string, string>>;
  /** What the review must tell: customer → what becomes of it, in the words of `review --json`. */
  readonly customers: Readonly<Record<string, string>>;
  /** Customer → the keys of the mapping that change. */
  readonly mappings?: readonly string[];
  readonly guards?: readonly string[];
}

/** Of the first `up`. The second one gives soylent a former group. */
export const firstName = 'name: "Soylent", ';
export const program = `
const { UserGroup, UserGroups } = require("$package");
const group = (name, warehouse) => ({ name, mapping: { sales: warehouse } });
new UserGroups("customers", {
  groups: {
    acme: group("Acme", "acme-warehouse"),
    globex: group("Globex", "globex-warehouse"),
    hooli: group("Hooli", "hooli-warehouse"),
    initech: group("Initech", "initech-warehouse"),
  },
  deletionLimit: 3,
});
new UserGroups("premium", { groups: { umbrella: { name: "Umbrella" }, wayne: { name: "Wayne" } }, overlap: true });
new UserGroup("stark", { userGroupId: "stark", ...group("Stark", "stark-warehouse") });
new UserGroup("soylent", { userGroupId: "soylent", name: "Soylent Green", overlap: true });
`;

const moving = 'new UserGroup("stark", { userGroupId: "stark", ...group("Stark", "stark-warehouse") });';

export const pullRequests: readonly PullRequest[] = [
  {
    title: "a customer has another name",
    changes: { '"Hooli"': '"Hooli XYZ"' },
    customers: { hooli: "newToken" },
  },
  {
    title: "two mappings are swapped",
    changes: {
      '"Acme", "acme-warehouse"': '"Acme", "globex-warehouse"',
      '"Globex", "globex-warehouse"': '"Globex", "acme-warehouse"',
    },
    customers: { acme: "newToken", globex: "newToken" },
    mappings: ["acme", "globex"],
  },
  {
    title: "the list has lost rows",
    changes: {
      'globex: group("Globex", "globex-warehouse"),': "",
      'hooli: group("Hooli", "hooli-warehouse"),': "",
      'initech: group("Initech", "initech-warehouse"),': "",
    },
    customers: { globex: "deleted", hooli: "deleted", initech: "deleted" },
  },
  {
    title: "a customer moves to the list",
    changes: { [moving]: "", "groups: {\n": 'groups: {\n    stark: group("Stark", "stark-warehouse"),\n' },
    customers: { stark: "moved" },
  },
  {
    title: "two customers sign up",
    changes: { "groups: {\n": 'groups: {\n    cyberdyne: group("Cyberdyne", "acme-warehouse"), tyrell: { name: "Tyrell" },\n' },
    customers: { cyberdyne: "created", tyrell: "created" },
  },
  {
    title: "a name is taken back",
    changes: { '"Soylent Green"': '"Soylent"' },
    customers: { soylent: "formerToken" },
  },
  {
    title: "guards are taken away",
    changes: { "deletionLimit: 3": "deletionLimit: 100", "overlap: true });\nnew UserGroup(": "overlap: false });\nnew UserGroup(" },
    customers: {},
    guards: ["deletionLimit", "overlap"],
  },
  {
    title: "a resource has another name",
    changes: { '"customers"': '"tenants"', "deletionLimit: 3,\n}": 'deletionLimit: 3,\n}, { aliases: [{ name: "customers" }] }' },
    customers: { acme: "moved", globex: "moved", hooli: "moved", initech: "moved" },
  },
  {
    title: "a customer is released",
    changes: { ', wayne: { name: "Wayne" } }': ' }, removed: "retain"' },
    customers: { wayne: "retained" },
    guards: ["removed"],
  },
  {
    title: "a name comes from another resource",
    changes: {
      'new UserGroups("premium"': 'const other = new UserGroup("other", { userGroupId: "other", name: "Other" });\nnew UserGroups("premium"',
      '{ name: "Umbrella" }': '{ name: other.adopted.apply((adopted) => `Umbrella ${adopted}`) }',
    },
    customers: { other: "created", umbrella: "possibly newTokenWithOverlap" },
  },
];

/** The program with a change. */
export function changed(text: string, changes: PullRequest["changes"]): string {
  return Object.entries(changes).reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`The program doesn't say ${from}`);
    return before.replace(from, () => to);
  }, text);
}
