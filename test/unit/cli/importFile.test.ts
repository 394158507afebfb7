/** Which groups `import-file` finds in a source, and what it refuses. test/engine/long imports its files. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, join } from "node:path";
import { privateMode, withFolder, writeProgram } from "../../harness/run";
import { runCommand, type CommandResult } from "./runCommand";

const mapping = { sales: 7 };
const acme = { name: "Acme", token: "t0ken-acme", mapping };

/** A resource of Mastercard/restapi as a state has it after its creation, with changed attributes. */
const restapi = (id: string, changed: object = {}, others: object = {}) => ({
  index_key: id,
  attributes: {
    path: "/api/user",
    data: request(id),
    destroy_data: JSON.stringify({ user_group_id: id, data_source_provided_id: "warehouse" }),
    api_response: response(id),
    ...changed,
  },
  ...others,
});
const request = (id: string) => JSON.stringify({ user_group_id: id, name: "Acme", mapping });
const response = (id: string, values: object = {}, success = 1) =>
  JSON.stringify({
    success,
    new_user_group: true,
    user_group: { team_id: 1, provided_id: id, name: "Acme", token: `t0ken-${id}`, ...values },
  });
const terraform = (instances: readonly object[], type = "restapi_object", mode = "managed") => ({
  version: 4,
  resources: [{ module: "module.eu", mode, type, name: "user_group", instances }],
});
const acmeWith = (changed: object) => terraform([restapi("acme", changed)]);
const place = (id: string) => `module.eu.restapi_object.user_group["${id}"]`;

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const secretOf = (value: unknown) => ({ ...secret, plaintext: JSON.stringify(value) });
const urn = (name: string) => `urn:pulumi:dev::tests::user-groups:index:UserGroup::${name}`;
const outputs = {
  ...{ userGroupId: "acme", name: "Acme", properties: secretOf({ plan: "pro" }), keepers: { a: "b" } },
  ...{ token: secretOf("t0ken-acme"), adopted: false, baseUrl: "https://analytics.example.com" },
};
/** A resource in the export of a stack of Pulumi. */
const userGroup = (others: object = {}) => ({
  urn: urn("acme"),
  type: "user-groups:index:UserGroup",
  id: "acme",
  inputs: {},
  outputs,
  ...others,
});
const pulumi = (...resources: readonly object[]) => ({ version: 3, deployment: { resources } });

describe("import-file finds the groups of", () => {
  const whole = { acme: { name: "Acme", mapping, dataSourceProvidedId: "warehouse" } };
  const withoutMapping = { acme: { name: "Acme", dataSourceProvidedId: "warehouse" } };
  const noMapping = /^user group "\w+": the source doesn't know the mapping\.$/m;
  const mixed = JSON.stringify({ ...JSON.parse(request("acme")), ...JSON.parse(response("acme")) });
  const sensitive = { request_body: request("acme"), response: null, sensitive_response: response("acme") };
  const cases: Record<string, [source: object, groups: object, notes?: RegExp]> = {
    JSON: [
      { acme, globex: { name: "Globex", token: "t0ken-globex" } },
      { acme: { name: "Acme", mapping }, globex: { name: "Globex" } },
      noMapping,
    ],
    "restapi 1.20": [acmeWith({}), whole],
    "restapi 3.0 that ignores what the service adds": [
      acmeWith({ api_response: "{}", create_response: response("acme") }),
      whole,
    ],
    "restapi 3.0 whose refresh has mixed data with a response": [
      acmeWith({ data: mixed, read_data: request("acme") }),
      withoutMapping,
      noMapping,
    ],
    terracurl: [
      terraform([{ attributes: sensitive }], "terracurl_request"),
      { acme: { name: "Acme", mapping } },
    ],
    "a state in which the service has other values than the request": [
      acmeWith({ api_response: response("acme", { name: "Theirs" }), destroy_data: null }),
      { acme: { name: "Theirs", mapping } },
      /^user group "acme": the service has another name or other properties .*They are used\.$/m,
    ],
    "an export of Pulumi, with a secret value": [
      pulumi(userGroup()),
      { acme: { name: "Acme", properties: { plan: "pro" }, keepers: { a: "b" } } },
      /^user group "acme": pass the secret values with pulumi\.secret\.$/m,
    ],
  };
  for (const [name, [source, groups, notes = /Next: /]] of Object.entries(cases))
    it(name, async () => {
      const { code, err, files } = await importFile(source, ["--program", "groups.json"]);
      assert.equal(code, 0, err);
      assert.deepEqual(files["groups.json"], groups);
      assert.match(err, notes);
    });
});

describe("import-file leaves out", () => {
  const other = { index_key: 0, attributes: { data: '{"id":1}', api_response: '{"id":1}' } };
  for (const [source, reason] of [
    [terraform([restapi("acme", {}, { deposed: "1" })]), `${place("acme")} is an object that a replacement`],
    [terraform([other]), "module.eu.restapi_object.user_group[0] isn't a user group"],
    [terraform([restapi("acme")], "restapi_object", "data"), 'user_group["acme"] is a data source'],
    [pulumi(userGroup({ external: true })), `${urn("acme")} is a lookup`],
    [pulumi(userGroup({ delete: true })), `${urn("acme")} is to be deleted`],
    [pulumi(userGroup({ pendingReplacement: true })), `${urn("acme")} was deleted by a replacement`],
  ] as const)
    it(`what it names: ${reason}`, async () => {
      const { code, err } = await importFile(source);
      assert.equal(code, 1);
      assert(err.includes(`the source has no user groups. These resources are left out:\n  `), err);
      assert(err.includes(reason), err);
    });
});

describe("import-file refuses a source", () => {
  const elsewhere = { ...outputs, baseUrl: "https://eu.example.com" };
  const operation = { type: "updating", resource: userGroup() };
  const otherToken = restapi("acme", { api_response: response("acme", { token: "t" }) }, { index_key: 1 });
  const refused: [message: string, source: object | string][] = [
    [
      `${place("acme")} has a response about another user group`,
      acmeWith({ api_response: response("globex") }),
    ],
    [`${place("acme")} has no valid response: its token is req`, acmeWith({ api_response: "{}" })],
    [`${place("acme")} has a response that refuses`, acmeWith({ api_response: response("acme", {}, 0) })],
    [`${place("acme")} has no request with a user_group_id`, acmeWith({ data: '{"id":"acme"}' })],
    [`${place("acme")} is tainted`, terraform([restapi("acme", {}, { status: "tainted" })])],
    ['the key "__proto__"', '{ "acme": { "name": "A", "token": "t", "mapping": { "__proto__": "x" } } }'],
    [`_group[1] has the same userGroupId as ${place("acme")}`, terraform([restapi("acme"), otherToken])],
    ['"globex" has the same token as "acme"', { acme, globex: acme }],
    ['"a" is in the file twice', '{"a":{"name":"\\"}{","token":"t1"},"a":{"name":"A","token":"t3"}}'],
    ['"a" has the field "token" twice', '{"a":{"token":"t1","name":"A","properties":{},"token":"t2"}}'],
    ['"acme" is invalid: its mapping.a must be', { acme: { ...acme, mapping: { a: true } } }],
    ['"acme" has the unknown field "id"', { acme: { ...acme, id: 1 } }],
    [
      `${urn("acme")} belongs to the service at https://eu.example.com, but the setting baseUrl is https://analytics.example.com`,
      pulumi(userGroup({ outputs: elsewhere })),
    ],
    [
      `${urn("acme")} is encrypted: export the stack with --show-secrets`,
      pulumi(userGroup({ outputs: { token: { ...secret, ciphertext: "v1:" } } })),
    ],
    [`${urn("acme")} has a failure of its last update`, pulumi(userGroup({ initErrors: ["failed"] }))],
    [
      `${urn("acme")} has an operation that was interrupted: run pulumi refresh`,
      { deployment: { resources: [], pending_operations: [operation] } },
    ],
    ["Pass the output of tofu state pull", { version: 4, encrypted_data: "e" }],
    ["its version must be 4", { version: 3, resources: [] }],
    ["Pass the output of state pull", { format_version: "1.0", values: {} }],
    ["The source isn't a JSON object", "t0ken"],
    ["the source has no user groups", {}],
  ];
  for (const [message, source] of refused)
    it(`with the message: ${message}`, async () => {
      const { code, out, err, files } = await importFile(source, ["--program", "groups.json"]);
      assert.deepEqual([code, out, files], [1, "", {}]);
      assert(err.includes(message), err);
    });
});

describe("import-file refuses", () => {
  for (const [what, code, message, flags, options] of [
    ["an engine that is too old", 1, /is 3\.253\.1, and .* only from 3\.254 on/, [], { version: "v3.253.1" }],
    ["no address of the service", 1, /address of the service is missing\. Set /, [], { baseUrl: "" }],
    ["a file that exists", 1, /No file .* because .*source\.json exists\.$/, ["--program", "source.json"]],
    ["no --out", 2, /import-file requires --from FILE and --out FILE/, ["--out", ""]],
    ["two shapes", 2, /--resource and --each exclude each other/, ["--each", "--resource", "a"]],
    ["a connection in upper case", 2, /--connection: must/, ["--connection", "EU"]],
    ["to print secret values", 2, /values of user group "acme" are secret.*set --program FILE/, []],
  ] as const)
    it(what, async () => {
      const source = what === "to print secret values" ? pulumi(userGroup()) : { acme };
      const { files, ...result } = await importFile(source, flags, options);
      assert.deepEqual([result.code, files], [code, {}]);
      assert.match(result.err, message);
    });
});

describe("import-file: its files", () => {
  it("keep the names of single resources, and the other arguments of a resource with all groups", async () => {
    const named = userGroup({ urn: urn("corporation"), outputs: { ...outputs, adopt: false } });
    const single = await importFile(pulumi(named), ["--each", "--program", "p"]);
    const [{ name, inputs } = {}] = single.files["import.json"]?.resources ?? [];
    assert.deepEqual([name, inputs?.["adopt"]], ["corporation", false]);
    const groups = { groups: { acme: { name: "Acme" } }, tokens: secretOf({ acme: "t" }), deletionLimit: 3 };
    const all = pulumi(userGroup({ type: "user-groups:index:UserGroups", outputs: groups }));
    const many = await importFile(all, ["--resource", "customers", "--connection", "eu"]);
    const [customers] = many.files["import.json"]?.resources ?? [];
    assert.equal(customers?.name, "customers");
    assert.deepEqual([customers.inputs["deletionLimit"], customers.inputs["connection"]], [3, "eu"]);
    assert.match(many.err, /^The resources of the source have deletionLimit: declare that in the program/m);
    const { err } = await importFile(all, ["--each"]);
    assert.match(err, /^The resources of the source have deletionLimit: no argument of a UserGroup\.$/m);
  });

  it("can be read by their owner only; without --program, the object is printed", async () => {
    const { code, out, err, mode, files } = await importFile({ acme });
    assert.deepEqual([code, JSON.parse(out)], [0, { acme: { name: "Acme", mapping } }]);
    assert.equal(mode, privateMode);
    assert.match(err, /contains tokens\.$/);
    assert.equal(files["import.json"]?.resources[0]?.type, "pulumi-nodejs:dynamic/user-groups:UserGroups");
  });
});

interface ImportFile {
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly inputs: Record<string, unknown>;
  }[];
}

interface Imported extends CommandResult {
  readonly files: Record<string, ImportFile>;
  /** That of the last file. */
  readonly mode: number | undefined;
}

/** Runs the command with a source on standard input. Asserts that it prints no token. */
function importFile(
  source: object | string,
  flags: readonly string[] = [],
  { version = "v3.254.0", baseUrl = "https://analytics.example.com" } = {},
): Promise<Imported> {
  return withFolder(async (folder) => {
    const engine = `console.log(process.argv[2] === "version" ? "${version}" : "{}");`;
    await fs.mkdir(join(folder, "bin"));
    await writeProgram(join(folder, "bin"), "pulumi", engine);
    await fs.writeFile(join(folder, "source.json"), "{}");
    const out = flags.includes("--out") ? [] : ["--out", join(folder, "import.json")];
    const paths = flags.map((flag, index) => (flags[index - 1] === "--program" ? join(folder, flag) : flag));
    const PATH = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
    const result = await runCommand(["import-file", "--from", "-", ...out, ...paths], {
      environment: { PATH, USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_EU_BASE_URL: baseUrl },
      input: typeof source === "string" ? source : JSON.stringify(source),
    });
    assert.doesNotMatch(result.out + result.err, /t0ken/);
    const files: Record<string, ImportFile> = {};
    let mode: number | undefined;
    for (const name of (await fs.readdir(folder)).filter((each) => !["source.json", "bin"].includes(each))) {
      files[name] = JSON.parse(await fs.readFile(join(folder, name), "utf8")) as ImportFile;
      mode = (await fs.stat(join(folder, name))).mode & 0o777;
    }
    return { ...result, files, mode };
  });
}
