/** Which groups `import-file` finds in a source, and what it refuses. test/engine/long imports its files. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, join } from "node:path";
import { propertiesOf } from "../../../provider/values";
import { privateMode, withFolder, writeProgram } from "../../support/harness/run";
import { encrypted, exportOf, secretOf, urnOf, userGroup } from "./exports";
import { runCommand } from "./runCommand";

const mapping = { sales: 7 };
const acme = { name: "Acme", token: "t0ken-acme", mapping };

const request = JSON.stringify({ user_group_id: "acme", name: "Acme", mapping });
const response = (values: object = {}) => {
  const user_group = { team_id: 1, provided_id: "acme", name: "Acme", token: "t0ken-acme", ...values };
  return JSON.stringify({ success: 1, new_user_group: true, user_group });
};
const terraform = (instances: readonly object[], type = "restapi_object", mode = "managed") => ({
  version: 4,
  resources: [{ module: "module.eu", mode, type, name: "user_group", instances }],
});
/** A resource of Mastercard/restapi 1.20 as a state has it after its creation, with changed attributes. */
const restapi = (changed: object = {}, others: object = {}) => {
  const destroy_data = '{"data_source_provided_id":"warehouse"}';
  const attributes = { path: "/api/user", data: request, destroy_data, api_response: response() };
  return { index_key: "acme", attributes: { ...attributes, ...changed }, ...others };
};
const place = 'module.eu.restapi_object.user_group["acme"]';

const outputs = {
  ...{ name: "Acme", properties: secretOf({ plan: "pro" }), keepers: { a: "b" } },
  ...{ token: secretOf("t0ken-acme"), adopted: false, baseUrl: "https://analytics.example.com" },
};
const stored = (others: object = {}, changed: object = {}) =>
  userGroup("acme", { ...outputs, ...changed }, others);

describe("import-file finds the groups of", () => {
  const globex = { name: "Globex", token: "t0ken-globex" };
  const hooli = { ...globex, token: "t0ken-hooli", mapping: {}, keepers: {} };
  const cases: Record<
    string,
    [source: object, groups: object, notImported: object | undefined, notes?: RegExp]
  > = {
    "JSON, of which nothing is claimed that it lacks": [
      { acme, globex, hooli },
      {
        acme: { name: "Acme", mapping },
        globex: { name: "Globex" },
        hooli: { name: "Globex", mapping: {}, keepers: {} },
      },
      { acme: { notImported: ["keepers"] }, globex: { notImported: ["mapping", "keepers"] } },
      /^user group "globex": the source doesn't know the mapping\.$/m,
    ],
    "restapi 1.20, with the values of the service": [
      terraform([restapi({ api_response: response({ name: "Theirs" }) })]),
      { acme: { name: "Theirs", mapping, dataSourceProvidedId: "warehouse" } },
      { acme: { notImported: ["keepers"] } },
    ],
    "an export of Pulumi, with a secret value": [
      exportOf(stored()),
      { acme: { name: "Acme", properties: { plan: "pro" }, keepers: { a: "b" } } },
      undefined,
      /^user group "acme": pass the secret values with pulumi\.secret\.$/m,
    ],
  };
  for (const [name, [source, groups, notImported, notes = /Next: /]] of Object.entries(cases))
    it(name, async () => {
      const { err, resource, program } = await importFile(source);
      assert.deepEqual(program, groups, err);
      const { groups: records } = propertiesOf(resource.outputs["internal"]);
      assert.deepEqual(records, notImported);
      assert.match(err, notes);
    });
});

describe("import-file refuses", () => {
  const left = (reason: string) => `These resources are left out:\n  ${reason}`;
  const sourceWith = (others: object) => exportOf(stored(others));
  const interrupted = { resources: [], pending_operations: [{ type: "updating", resource: stored() }] };
  const sameId = restapi({ api_response: response({ token: "t" }) }, { index_key: 1 });
  const noToken = restapi({ api_response: response({ token: undefined }) });
  const otherResource = { index_key: 0, attributes: { data: '{"id":1}', api_response: '{"id":1}' } };
  const sources: [message: string, source: object | string][] = [
    [left(`${place} is a data source, tainted, or left by`), terraform([restapi({}, { deposed: "1" })])],
    [left(`${place} is a data source, tainted`), terraform([restapi({}, { status: "tainted" })])],
    [left("module.eu.restapi_object.user_group[0] isn't a user group"), terraform([otherResource])],
    ["Of Terraform, restapi_object is read. Pass", terraform([restapi()], "terracurl_request")],
    [left(`${urnOf("acme")} is a lookup`), sourceWith({ external: true })],
    [left(`${urnOf("acme")} is to be deleted, or was`), sourceWith({ pendingReplacement: true })],
    ["response about another user", terraform([restapi({ api_response: response({ provided_id: "b" }) })])],
    ["has an api_response that is invalid: its user_group.token is req", terraform([noToken])],
    ["has no request in its data, as after", terraform([restapi({ data: response() })])],
    ['the key "__proto__"', '{ "acme": { "name": "A", "token": "t", "mapping": { "__proto__": "x" } } }'],
    [`_group[1] has the same userGroupId as ${place}`, terraform([restapi(), sameId])],
    ['"globex" has the same token as "acme"', { acme, globex: acme }],
    ['"a" is in one object twice', '{"a":{"name":"\\"}{","token":"t1"},"a":{"name":"A","token":"t3"}}'],
    ['"acme" is invalid: its id is not an argument', { acme: { ...acme, id: 1 } }],
    ['"acme" is invalid: its mapping has an invalid value', { acme: { ...acme, mapping: { a: true } } }],
    [`${urnOf("acme")} is encrypted: export`, exportOf(stored({}, { token: encrypted }))],
    [`${urnOf("acme")} has a failure of its last update`, sourceWith({ initErrors: ["failed"] })],
    [`operations that were interrupted, such as that of ${urnOf("acme")}.`, { deployment: interrupted }],
    ["belongs to the service at https://eu", exportOf(stored({}, { baseUrl: "https://eu.example.com" }))],
    ["Pass the output of tofu state pull", { version: 4, encrypted_data: "e" }],
    ["The source isn't a JSON object", "t0ken"],
  ];
  for (const [message, source] of sources)
    it(`a source with the message: ${message}`, async () => {
      const { code, out, err, files } = await importFile(source);
      assert.deepEqual([code, out, files], [1, "", []]);
      assert(err.includes(message), err);
    });

  for (const shape of [["--resource", "a"], ["--each"]])
    it(`an ID that the program couldn't declare, with ${shape.join(" ")}`, async () => {
      const { code, err, files } = await importFile({ "acme~5d41402a": acme }, shape);
      assert.deepEqual([code, files], [1, []]);
      assert.match(err, /No file was written: the argument groups\W+acme~5d41402a/);
    });

  for (const [what, code, message, flags, options] of [
    ["an engine that is too old", 1, /is 3\.253\.1, and .* only from 3\.254 on/, [], { version: "v3.253.1" }],
    ["no address of the service", 1, /address of the service is missing\. Set /, [], { baseUrl: "" }],
    ["a file that exists", 1, /No file .* because .*pulumi exists\.$/, [], { program: "pulumi" }],
    ["one file for both", 2, /--out and --program must be two files/, [], { program: "./import.json" }],
    ["a folder that doesn't exist", 1, /: No file was written: ENOENT/, [], { program: "no/groups.json" }],
    ["two shapes", 2, /--resource and --each exclude each other/, ["--each", "--resource", "a"]],
  ] as const)
    it(what, async () => {
      const { files, ...result } = await importFile({ acme }, flags, options);
      assert.deepEqual([result.code, files], [code, []]);
      assert.match(result.err, message);
    });
});

describe("import-file: its files", () => {
  it("keep the names and arguments of single resources, and those of a resource with all groups", async () => {
    const corporation = stored({ urn: urnOf("corporation") }, { adopt: false });
    const { resource: single } = await importFile(exportOf(corporation), ["--each"]);
    assert.deepEqual([single.name, single.inputs["adopt"]], ["corporation", false]);
    const groups = { groups: { acme: { name: "Acme" } }, tokens: secretOf({ acme: "t" }), deletionLimit: 3 };
    const all = exportOf(stored({ type: "user-groups:index:UserGroups", outputs: groups }));
    const { resource: many } = await importFile(all, ["--resource", "customers"]);
    const { deletionLimit } = many.inputs;
    assert.deepEqual([many.name, deletionLimit], ["customers", 3]);
    assert.deepEqual(many.inputs["groups"], groups.groups);
  });

  it("have no arguments of the resources, which the command prints", async () => {
    const outputs = { groups: { acme: { name: "Acme" } }, tokens: secretOf({ acme: "t" }) };
    const guards = { removed: "retain", overlap: true, deletionLimit: 3 };
    const type = "user-groups:index:UserGroups";
    const { err } = await importFile(exportOf(stored({ type, outputs: { ...outputs, ...guards } })));
    assert.match(
      err,
      /^State these arguments in the program, too, or they are lost:\n {2}acme has overlap: true, removed: "retain", deletionLimit: 3$/m,
    );
    assert.doesNotMatch((await importFile(exportOf(stored()))).err, /State these arguments/);
  });

  it("can be read by their owner only, and mark secrets: tokens, and all values of a resource with a secret one", async () => {
    const { mode, resource: many, program } = await importFile(exportOf(stored()));
    assert.equal(mode, privateMode);
    assert.equal(many.type, "pulumi-nodejs:dynamic/user-groups:UserGroups");
    for (const values of [many.inputs, many.outputs]) assert.deepEqual(values["groups"], secretOf(program));
    assert.deepEqual(many.outputs["tokens"], secretOf({ acme: "t0ken-acme" }));
    const { resource: single } = await importFile(exportOf(stored()), ["--each"]);
    for (const { keepers } of [single.inputs, single.outputs])
      assert.deepEqual(keepers, secretOf({ a: "b" }));
  });
});

interface Imported {
  readonly type?: string;
  readonly name?: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
}

/** Runs the command with a source on standard input. `resource`: the first one of its file for the import. */
function importFile(
  source: object | string,
  flags: readonly string[] = [],
  { version = "v3.254.0", baseUrl = "https://analytics.example.com", program = "groups.json" } = {},
) {
  return withFolder(async (folder) => {
    await writeProgram(folder, "pulumi", `console.log(process.argv[2] === "version" ? "${version}" : "{}");`);
    const before = await fs.readdir(folder);
    const out = join(folder, "import.json");
    const paths = ["--out", out, "--program", join(folder, program)];
    const PATH = [folder, process.env["PATH"]].join(delimiter);
    const result = await runCommand(["import-file", "--from", "-", ...paths, ...flags], {
      environment: { PATH, USER_GROUPS_BASE_URL: baseUrl },
      input: typeof source === "string" ? source : JSON.stringify(source),
    });
    const files = (await fs.readdir(folder)).filter((name) => !before.includes(name));
    const contents = async (file: string) => (files.length > 0 ? fs.readFile(file, "utf8") : "{}");
    const groups: unknown = JSON.parse(await contents(join(folder, program)));
    const { resources } = JSON.parse(await contents(out)) as { resources?: [Imported] };
    const [resource = { inputs: {}, outputs: {} }] = resources ?? [];
    const mode = files.length > 0 ? (await fs.stat(out)).mode & 0o777 : undefined;
    return { ...result, files, mode, program: groups, resource };
  });
}
