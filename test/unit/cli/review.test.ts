/** The reviews of recorded previews of the real engine, and of made ones: with secrets, moves, hostile texts and many customers. */
import assert from "node:assert/strict";
import { delimiter, dirname } from "node:path";
import { lexer, walkTokens } from "marked";
import { unknownValue } from "../../../provider/values";
import { picture, pullRequests } from "../../engine/reviews/pullRequests";
import { readRecorded, readReview } from "../../engine/reviews/recorded";
import { withFolder, writeProgram } from "../../support/harness/run";
import { runCommand } from "./runCommand";

const secret = "[secret]";
const dynamicType = "pulumi-nodejs:dynamic/user-groups:";
const pluginType = "user-groups:index:";
const pluginProvider = "urn:pulumi:dev::tests::pulumi:providers:user-groups::";

interface Made {
  readonly name?: string;
  readonly op?: string;
  readonly kind?: "UserGroup" | "UserGroups";
  readonly type?: string;
  /** Of the plugin. */
  readonly provider?: string;
  readonly before?: object;
  readonly after?: object;
  readonly details?: object;
  readonly old?: object;
}

/** A step of a preview. Outputs before the change get what each state has. */
function step({ name = "customers", kind = "UserGroups", type = dynamicType, ...made }: Made) {
  const { op = "update", before, after, provider, details = null, old = {} } = made;
  const urn = `urn:pulumi:dev::tests::${type}${kind}::${name}`;
  const own = kind === "UserGroup" ? { token: secret } : { tokens: secret, adopted: [] };
  const outputs = before && { ...own, internal: { credentialsDigest: secret }, ...before };
  const state = { urn, type: `${type}${kind}` };
  return {
    op,
    urn,
    provider:
      provider === undefined
        ? `urn:pulumi:dev::tests::pulumi:providers:pulumi-nodejs::default::id`
        : `${pluginProvider}${provider}::id`,
    ...(outputs && { oldState: { ...state, inputs: before, outputs, ...old } }),
    ...(after && { newState: { ...state, inputs: after } }),
    detailedDiff: details,
  };
}

const previewOf = (steps: readonly object[], others: object = {}) => JSON.stringify({ steps, ...others });
const review = (steps: readonly object[], others: object = {}, environment = {}) =>
  runCommand(["review"], { input: previewOf(steps, others), environment });
const groups = (values: unknown, others: object = {}) => ({ groups: values, ...others });
const one = (userGroupId: string, values: object = {}) => ({ userGroupId, name: "N", ...values });

/** The lines about customers, without the rest. */
async function linesOf(steps: readonly object[], others: object = {}, environment = {}): Promise<string[]> {
  const { code, out, err } = await review(steps, others, environment);
  assert.equal(code, 0, err);
  return out.split("\n").slice(3).filter(Boolean);
}

describe("the review of a preview", () => {
  for (const form of ["dynamic", "plugin"] as const)
    for (const { title } of [...pullRequests, picture])
      it(`of the real engine is as recorded, with the form ${form}, if ${title}`, async () => {
        const { out } = await runCommand(["review"], { input: readRecorded(form, title) });
        assert.equal(out, readReview(title));
      });

  it("says that no customer changes", async () => {
    assert.match((await review([])).out, /\n\nNo customer changes\.$/);
  });

  it("takes the setting changes from the configuration, the environment, or the explicit provider", async () => {
    const change = { before: groups({ a: { name: "A" } }), after: groups({ a: { name: "B" } }) };
    const updated = /^\*\*1 customer is updated and keeps its token\*\*$/;
    const config = { "user-groups:changes": "update" };
    assert.match((await linesOf([step(change)], { config }))[0] ?? "", updated);
    assert.match((await linesOf([step(change)], {}, { USER_GROUPS_CHANGES: "update" }))[0] ?? "", updated);
    const ofPlugin = step({ ...change, type: pluginType, provider: "eu" });
    const type = "pulumi:providers:user-groups";
    const urn = `${pluginProvider}eu`;
    const provider = { op: "same", urn, newState: { urn, type, inputs: { changes: "update" } } };
    assert.match((await linesOf([provider, ofPlugin]))[0] ?? "", updated);
    const { code, err } = await review([ofPlugin]);
    assert.equal(code, 2);
    assert.match(err, /doesn't show the provider "eu", .*: run pulumi preview --json --show-sames\.$/);
  });

  for (const [what, lines, ...steps] of [
    [
      "a move with another mapping, which up refuses",
      [
        "**1 customer can't be moved or deleted: up fails**",
        "- `a` (`N`); in UserGroup `a` and UserGroups `customers`; another resource declares it with another mapping",
        "**A mapping is new or changed: is each data source this customer's?**",
        '- `a` (`N`): `x` `"1"` → `"2"`',
      ],
      step({ kind: "UserGroup", name: "a", op: "delete", before: one("a", { mapping: { x: "1" } }) }),
      step({ op: "create", after: groups({ a: { name: "N", mapping: { x: "2" } } }) }),
    ],
    [
      "a move with another name, which the next up applies",
      [
        "**1 customer moves and keeps its token**",
        "- `a` (`N`); from UserGroup `a` to UserGroups `customers`; its name differs there, so the next up gives a new token",
      ],
      step({ kind: "UserGroup", name: "a", op: "delete", before: one("a") }),
      step({ op: "create", after: groups({ a: { name: "M" } }) }),
    ],
    [
      "a move to a resource that has the group already",
      [
        "**1 customer moves and keeps its token**",
        "- `a` (`N`); from UserGroup `a` to UserGroups `customers`",
      ],
      step({ kind: "UserGroup", name: "a", op: "delete", before: one("a") }),
      step({ op: "same", before: groups({ a: { name: "N" } }), after: groups({ a: { name: "N" } }) }),
    ],
    [
      "mappings that differ after what is shown of them",
      [
        "**1 customer gets a new token, and is blank until you deliver it**",
        "- `a` (`A`); in UserGroups `customers`; its mapping changes",
        "**A mapping is new or changed: is each data source this customer's?**",
        `- \`a\` (\`A\`): \`x\` \`"${"y".repeat(199)}…\` → \`"${"y".repeat(199)}…\`, which differ further on`,
      ],
      step({
        before: groups({ a: { name: "A", mapping: { x: `${"y".repeat(300)}1` } } }),
        after: groups({ a: { name: "A", mapping: { x: `${"y".repeat(300)}2` } } }),
      }),
    ],
    [
      "two services, in which a customer is another one",
      [
        "**1 customer is deleted: its dashboards end**",
        "- `a` (`N`); in UserGroup `a`",
        "**1 customer is created, or adopted if it exists**",
        "- `a` (`N`); in UserGroup `b`; no mapping",
      ],
      step({
        kind: "UserGroup",
        name: "a",
        op: "delete",
        before: one("a"),
        type: pluginType,
        provider: "default",
      }),
      step({ kind: "UserGroup", name: "b", op: "create", after: one("a") }),
    ],
    [
      "a whole resource that leaves, above the limit of its state",
      [
        "**2 customers can't be moved or deleted: up fails**",
        "- `a` (`A`); in UserGroups `customers`; would delete more customers than deletionLimit allows (1)",
        "- `b` (`B`); in UserGroups `customers`; would delete more customers than deletionLimit allows (1)",
      ],
      step({ op: "delete", before: groups({ a: { name: "A" }, b: { name: "B" } }, { deletionLimit: 1 }) }),
    ],
    [
      "a replacement by an option",
      [
        "**Possibly 1 customer gets a new token, and is blank until you deliver it**",
        "- possibly `a` (`N`); in UserGroup `a`; an option replaces its resource, which keeps the token except with deleteBeforeReplace",
      ],
      step({ kind: "UserGroup", name: "a", op: "replace", before: one("a"), after: one("a") }),
    ],
    [
      "an import that didn't know the mapping",
      [
        "**1 customer changes in the state only**",
        "- `a` (`N`); in UserGroup `a`; takes over what an import didn't know",
        "**A mapping is new or changed: is each data source this customer's?**",
        '- `a` (`N`): none → `{"x":"1"}`',
      ],
      step({
        kind: "UserGroup",
        name: "a",
        before: one("a", { internal: { groups: { a: { notImported: ["mapping"] } } } }),
        after: one("a", { mapping: { x: "1" } }),
      }),
    ],
    [
      "groups that aren't known yet",
      [
        "**Also**",
        "- UserGroups `customers`: which customers it has isn't known yet, so any of them may leave",
      ],
      step({ before: groups({ a: { name: "A" } }), after: { groups: unknownValue } }),
    ],
    [
      "a mapping that isn't known yet",
      [
        "**Possibly 1 customer gets a new token, and is blank until you deliver it**",
        "- possibly `a` (`A`); in UserGroups `customers`; its mapping isn't known yet",
        "**A mapping is new or changed: is each data source this customer's?**",
        '- possibly `a` (`A`): `x` `"1"` → `[unknown]`',
      ],
      step({
        before: groups({ a: { name: "A", mapping: { x: "1" } } }),
        after: groups({ a: { name: "A", mapping: { x: unknownValue } } }),
      }),
    ],
    [
      "secrets, of which the dynamic form doesn't say whether they change",
      [
        "**Possibly 2 customers get a new token, and are blank until you deliver it**",
        "- possibly `a` (`A`); in UserGroups `customers`; its properties may change, which is secret",
        "- possibly `b` (`[secret]`); in UserGroups `customers`; its name may change, which is secret",
      ],
      step({
        before: groups({ a: { name: "A", properties: { plan: secret } }, b: secret, c: { name: "C" } }),
        after: groups({ a: { name: "A", properties: { plan: secret } }, b: secret, c: { name: "C" } }),
      }),
    ],
    [
      "a part of a mapping that is secret",
      [
        "**Possibly 1 customer gets a new token, and is blank until you deliver it**",
        "- possibly `a` (`A`); in UserGroups `customers`; its mapping may change, which is secret",
        "**A mapping is new or changed: is each data source this customer's?**",
        "- possibly `a` (`A`): `y` `[secret]` → `[secret]`",
      ],
      step({
        before: groups({ a: { name: "A", mapping: { x: "1", y: secret } } }),
        after: groups({ a: { name: "A", mapping: { x: "1", y: secret } } }),
      }),
    ],
    [
      "secrets, of which the plugin says which change",
      [
        "**Possibly 1 customer gets a new token, and is blank until you deliver it**",
        "- possibly `a.b` (`A`); in UserGroups `customers`; its properties may change, which is secret",
      ],
      step({
        type: pluginType,
        provider: "default",
        details: { 'groups["a.b"].properties': {} },
        before: groups({ "a.b": { name: "A", properties: secret }, b: secret }),
        after: groups({ "a.b": { name: "A", properties: secret }, b: secret }),
      }),
    ],
    [
      "a former group, which the preview hides",
      [
        "**1 customer gets a new token: deliver it while the old one stays valid**",
        "- `a` (`A` → `B`); in UserGroups `customers`; its name changes; or gets a former token back, which the preview hides; the old token stays for 24 hours",
        "**Also**",
        "- UserGroups `customers`: the preview hides former groups of earlier changes: up deletes those whose time is over",
      ],
      step({
        before: groups({ a: { name: "A" } }, { overlap: true, former: secret }),
        after: groups({ a: { name: "B" } }, { overlap: true }),
      }),
    ],
    [
      "all customers of a resource, which are secret",
      ["**Also**", "- UserGroups `customers`: its customers are secret, so the preview hides what changes"],
      step({ before: { groups: secret }, after: { groups: secret } }),
    ],
  ] as const satisfies (readonly [string, readonly string[], ...object[]])[])
    it(`names ${what}`, async () => {
      assert.deepEqual(await linesOf(steps), lines);
    });

  it("leaves out the warnings of a resource whose customers are secret, because they name them", async () => {
    const change = { kind: "UserGroup", before: one(secret), after: one(secret, { name: "M" }) } as const;
    const made = step(change);
    const message = 'warning: user group "hidden-id": its former group is deleted. [former-group-deleted]\n';
    const diagnostics = [{ urn: made.urn, severity: "warning", message }];
    const { out } = await review([made], { diagnostics });
    assert.doesNotMatch(out, /hidden-id/);
    const shown = await review([step({ ...change, before: one("a"), after: one("a", { name: "M" }) })], {
      diagnostics,
    });
    assert.match(
      shown.out,
      /- UserGroup `customers`: `user group "hidden-id": its .* \[former-group-deleted\]`$/,
    );
  });

  it("has the first 50 customers of each kind, and counts the rest", async () => {
    const ids = Array.from({ length: 500 }, (_, index) => `c${String(index).padStart(3, "0")}`);
    const all = Object.fromEntries(ids.map((id) => [id, { name: id }]));
    const lines = await linesOf([step({ before: groups(all), after: groups({}) })]);
    assert.equal(lines[0], "**500 customers are deleted: their dashboards end**");
    assert.deepEqual(
      [lines.length, lines[50], lines[51]],
      [52, "- `c049`; in UserGroups `customers`", "- and 450 more"],
    );
  });

  it("fits into a comment, whatever the texts are", async () => {
    const wide = (end: string) =>
      Object.fromEntries(
        Array.from({ length: 20 }, (_, key) => [`k${key}${"x".repeat(300)}`, "y".repeat(300) + end]),
      );
    const all = (end: string) =>
      Object.fromEntries<unknown>(
        Array.from({ length: 200 }, (_, index) => [
          `${"i".repeat(300)}${index}`,
          { name: "n".repeat(300), mapping: wide(end) },
        ]),
      );
    const { out } = await review([step({ before: groups(all("1")), after: groups(all("2")) })]);
    assert(out.length < 65_536, String(out.length));
    assert.match(out, /and 1\d\d more/);
  });

  for (const hostile of [
    "@everyone",
    "[a](https://evil.example)",
    "![a](https://evil.example/a.png)",
    "<img src=x onerror=alert(1)>",
    "`` ` @a `",
    "a | b",
    "https://evil.example www.evil.example #1",
    "a\n\n## b\n- c",
    "**a** _b_ ~~c~~ &lt;",
    "\u202egpj.exe",
    "```",
  ])
    it(`keeps ${JSON.stringify(hostile)} in a code span`, async () => {
      const before = groups(
        { [hostile]: { name: hostile, mapping: { [hostile]: hostile } } },
        { removed: "delete" },
      );
      const after = groups(
        { [hostile]: { name: `${hostile}2`, mapping: { [hostile]: `${hostile}2` } } },
        { removed: hostile },
      );
      const { out } = await review([step({ name: hostile, before, after })]);
      const kinds = new Set<string>();
      const texts: string[] = [];
      void walkTokens(lexer(out), (token) => {
        kinds.add(token.type);
        if (token.type === "text" && !("tokens" in token)) texts.push(token.raw);
      });
      const allowed = ["html", "paragraph", "strong", "space", "list", "list_item", "text", "codespan"];
      assert.deepEqual(
        [...kinds].filter((kind) => !allowed.includes(kind)),
        [],
      );
      // Outside of code spans, there are only the command's own words.
      assert.doesNotMatch(texts.join(" "), /[@<>[\]|#`*_~]|evil|\u202e/);
      assert.equal(out.match(/<[^>]*>/g)?.[0], "<!-- pulumi-user-groups review -->");
    });

  it("is JSON with --json, without a bound", async () => {
    const made = step({
      before: groups({ a: { name: "A", mapping: { x: "1" } } }, { deletionLimit: 3, overlap: true }),
      after: groups({ a: { name: "B", mapping: { x: "2" } } }, { overlap: true, overlapHours: 1 }),
    });
    const { out } = await runCommand(["review", "--json"], { input: previewOf([made]) });
    const { counts, ...rest } = JSON.parse(out) as { counts: Record<string, number> };
    assert.deepEqual(
      Object.entries(counts).filter(([, count]) => count > 0),
      [["newTokenWithOverlap", 1]],
    );
    const resource = made.urn;
    assert.deepEqual(rest, {
      customers: [
        {
          userGroupId: "a",
          name: "B",
          nameBefore: "A",
          outcome: "newTokenWithOverlap",
          isPossible: false,
          reasons: ["its name changes", "its mapping changes"],
          overlapHours: 1,
          resource,
          mapping: { before: { x: "1" }, after: { x: "2" } },
        },
      ],
      guards: [
        { resource, guard: "deletionLimit", before: 3, after: null },
        { resource, guard: "overlapHours", before: null, after: 1 },
      ],
      notes: [],
    });
  });

  for (const [input, message] of [
    ["not JSON", "its text is not JSON."],
    ["{}", "its steps are missing."],
    ['{ "steps": [{}] }', "its steps[0].op must be a string."],
    ["", /Standard input is empty/],
    [
      JSON.stringify({ diagnostics: [{ severity: "error", message: "error: boom\n    at x.js:1\n" }] }),
      "pulumi-user-groups: The preview failed, so nothing is known of its change:\n  boom",
    ],
    [
      previewOf([step({ before: groups({ a: {} }), after: groups({}) })]),
      /can't be read\. The state of .* is invalid/,
    ],
  ] as const)
    it(`of ${input === "" ? "nothing" : input.slice(0, 30)} ends with exit code 2 and the reason`, async () => {
      const { code, out, err } = await runCommand(["review"], { input });
      assert.deepEqual([code, out], [2, ""]);
      if (typeof message === "string") assert(err.endsWith(message), err);
      else assert.match(err, message);
    });

  const ofStack = (name: string) =>
    withFolder(async (folder) => {
      const failed = JSON.stringify({ diagnostics: [{ severity: "error", message: "error: no program" }] });
      await writeProgram(
        folder,
        "pulumi",
        `const args = process.argv.slice(2).join(" ");
        const previewing = "preview --json --show-sames --non-interactive --stack ";
        if (args === previewing + "dev") process.stdout.write(${JSON.stringify(previewOf([]))});
        else if (args === previewing + "broken") { process.stdout.write(${JSON.stringify(failed)}); process.exitCode = 255; }
        else { process.stderr.write("error: no stack named 'nope' found"); process.exitCode = 255; }`,
      );
      const PATH = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
      return runCommand(["review", "--stack", name], { environment: { PATH } });
    });

  it("is that of --stack, and a preview that fails says why", async () => {
    assert.match((await ofStack("dev")).out, /No customer changes/);
    const broken = await ofStack("broken");
    assert.deepEqual([broken.code, broken.err.split("\n").at(-1)], [2, "  no program"]);
    const missing = await ofStack("nope");
    assert.equal(missing.code, 2);
    assert.match(missing.err, /The stack nope can't be previewed: no stack named 'nope' found$/);
  });
});
