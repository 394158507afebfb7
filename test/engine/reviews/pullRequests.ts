/** Ten pull requests against one program: what a reviewer must know of each. The recorded previews are those of the real engine. */

export interface PullRequest {
  readonly title: string;
  /** What replaces texts of the program. */
  readonly changes: Readonly<Record<string, string>>;
  /** What the review must tell: customer → its outcome in `review --json`. */
  readonly customers: Readonly<Record<string, string>>;
  /** The customers whose data source changes. */
  readonly mappings?: readonly string[];
  /** The guards that change. */
  readonly guards?: readonly string[];
  /** Whether a reviewer who knows this merges it: `no` if a customer would lose a dashboard or see another one's data without a reason. */
  readonly merge: "yes" | "no" | "when delivery is ready";
}

const soylent = 'name: "Soylent Green"';

/** `$package`: of the form. */
const program = `
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
new UserGroup("soylent", { userGroupId: "soylent", ${soylent}, overlap: true });
`;

/** The programs of the two first `up`. The second one gives soylent a former group. */
export const before = [program.replace(soylent, 'name: "Soylent"'), program];

const moving = 'new UserGroup("stark", { userGroupId: "stark", ...group("Stark", "stark-warehouse") });';

/** The program of the main branch with a change. */
export function programOf({ changes }: PullRequest): string {
  return changed(program, changes);
}

export const pullRequests: readonly PullRequest[] = [
  {
    title: "a customer has another name",
    changes: { '"Hooli"': '"Hooli XYZ"' },
    customers: { hooli: "newToken" },
    merge: "when delivery is ready",
  },
  {
    title: "two mappings are swapped",
    changes: {
      '"Acme", "acme-warehouse"': '"Acme", "globex-warehouse"',
      '"Globex", "globex-warehouse"': '"Globex", "acme-warehouse"',
    },
    customers: { acme: "newToken", globex: "newToken" },
    mappings: ["acme", "globex"],
    merge: "no",
  },
  {
    title: "the list has lost rows",
    changes: {
      'globex: group("Globex", "globex-warehouse"),': "",
      'hooli: group("Hooli", "hooli-warehouse"),': "",
      'initech: group("Initech", "initech-warehouse"),': "",
    },
    customers: { globex: "deleted", hooli: "deleted", initech: "deleted" },
    merge: "no",
  },
  {
    title: "a customer moves to the list",
    changes: { [moving]: "", "groups: {\n": 'groups: {\n    stark: group("Stark", "stark-warehouse"),\n' },
    customers: { stark: "moved" },
    merge: "yes",
  },
  {
    title: "two customers sign up",
    changes: {
      "groups: {\n":
        'groups: {\n    cyberdyne: group("Cyberdyne", "acme-warehouse"), tyrell: { name: "Tyrell" },\n',
    },
    customers: { cyberdyne: "created", tyrell: "created" },
    merge: "no",
  },
  {
    title: "a name is taken back",
    changes: { '"Soylent Green"': '"Soylent"' },
    customers: { soylent: "formerToken" },
    merge: "when delivery is ready",
  },
  {
    title: "guards are taken away",
    changes: {
      "deletionLimit: 3": "deletionLimit: 100",
      "overlap: true });\nnew UserGroup(": "overlap: false });\nnew UserGroup(",
    },
    customers: {},
    guards: ["deletionLimit", "overlap"],
    merge: "no",
  },
  {
    title: "a resource has another name",
    changes: {
      '"customers"': '"tenants"',
      "deletionLimit: 3,\n}": 'deletionLimit: 3,\n}, { aliases: [{ name: "customers" }] }',
    },
    customers: { acme: "moved", globex: "moved", hooli: "moved", initech: "moved" },
    merge: "yes",
  },
  {
    title: "a customer is released",
    changes: { ', wayne: { name: "Wayne" } }': ' }, removed: "retain"' },
    customers: { wayne: "retained" },
    guards: ["removed"],
    merge: "yes",
  },
  {
    title: "a name comes from another resource",
    changes: {
      'new UserGroups("premium"':
        'const other = new UserGroup("other", { userGroupId: "other", name: "Other" });\nnew UserGroups("premium"',
      '{ name: "Umbrella" }': "{ name: other.adopted.apply((adopted) => `Umbrella ${adopted}`) }",
    },
    customers: { other: "created", umbrella: "possibly newTokenWithOverlap" },
    merge: "when delivery is ready",
  },
];

/** The picture of docs/pull-requests.md. */
export const picture: PullRequest = {
  title: "all at once",
  changes: {
    'globex: group("Globex", "globex-warehouse")': 'globex: group("Globex", "acme-warehouse")',
    'hooli: group("Hooli", "hooli-warehouse"),': 'stark: group("Stark", "stark-warehouse"),',
    'initech: group("Initech", "initech-warehouse"),':
      'initech: group("Initech", "initech-warehouse"), tyrell: { name: "Tyrell" },',
    "deletionLimit: 3": "deletionLimit: 30",
    '{ name: "Umbrella" }': '{ name: "Umbrella Corporation" }',
    [moving]: "",
  },
  customers: {
    hooli: "deleted",
    globex: "newToken",
    umbrella: "newTokenWithOverlap",
    stark: "moved",
    tyrell: "created",
  },
  mappings: ["globex"],
  guards: ["deletionLimit"],
  merge: "no",
};

/** The texts of the program are replaced one after the other. */
function changed(text: string, changes: PullRequest["changes"]): string {
  return Object.entries(changes).reduce((former, [from, to]) => {
    if (!former.includes(from)) throw new Error(`The program doesn't say ${from}`);
    return former.replace(from, () => to);
  }, text);
}
