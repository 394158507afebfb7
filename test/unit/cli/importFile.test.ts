import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { delimiter, join } from "node:path";
import { privateMode, withFolder, writeProgram } from "../../harness/run";
import { runCommand, type CommandResult } from "./runCommand";

const acme = { name: "Acme", token: "t0ken-acme", mapping: { sales: "warehouse" } };
const response = (id: string, values: object = {}) =>
  JSON.stringify({
    success: 1,
    new_user_group: true,
    user_group: { team_id: 1, provided_id: id, name: "Acme", token: `t0ken-${id}`, ...values },
  });
const request = (id: string) => ({ user_group_id: id, name: "Acme", mapping: { sales: 7 } });

/** A resource of Mastercard/restapi as a state has it after its creation. */
const restapi = (id: string, attributes: object = {}) => ({
  index_key: id,
  attributes: {
    path: "/api/user",
    data: JSON.stringify(request(id)),
    destroy_data: JSON.stringify({ user_group_id: id, data_source_provided_id: "warehouse" }),
    api_response: response(id),
    ...attributes,
  },
});
const terraform = (instances: readonly object[], type = "restapi_object", mode = "managed") => ({
  version: 4,
  resources: [{ module: "module.eu", mode, type, name: "user_group", instances }],
});
const acmeWith = (attributes: object) => terraform([restapi("acme", attributes)]);
const terracurl = (attributes: object) =>
  terraform(
    [{ attributes: { request_body: JSON.stringify(request("acme")), ...attributes } }],
    "terracurl_request",
  );
const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const secretOf = (value: unknown) => ({ ...secret, plaintext: JSON.stringify(value) });
const urn = (name: string) => `urn:pulumi:dev::tests::user-groups:index:UserGroup::${name}`;
const userGroup = (name: string, others: object = {}) => ({
  urn: urn(name),
  type: "user-groups:index:UserGroup",
  id: name,
  inputs: { userGroupId: name, name: "Acme", properties: secretOf({ plan: "pro" }) },
  outputs: {
    ...{ userGroupId: name, name: "Acme", properties: secretOf({ plan: "pro" }), keepers: { a: "b" } },
    ...{ token: secretOf(`t0ken-${name}`), adopted: false, baseUrl: "https://analytics.example.com" },
  },
  ...others,
});
const pulumi = (...resources: readonly object[]) => ({ version: 3, deployment: { resources } });
const place = (id: string) => `module.eu.restapi_object.user_group["${id}"]`;

describe("import-file: a source", () => {
  const mapping = { sales: 7 };
  const whole = { acme: { name: "Acme", mapping, dataSourceProvidedId: "warehouse" } };
  const withoutMapping = { acme: { name: "Acme", dataSourceProvidedId: "warehouse" } };
  const noMapping = /^user group "\w+": the source doesn't know the mapping\.$/m;
  const mixed = { ...request("acme"), mapping: null, ...(JSON.parse(response("acme")) as object) };
  const read_data = JSON.stringify(request("acme"));
  const cases: Record<string, [source: object, groups: object, notes?: RegExp]> = {
    "JSON; a group without a mapping has one that isn't known": [
      { acme, globex: { name: "Globex", token: "t0ken-globex" } },
      { acme: { name: "Acme", mapping: acme.mapping }, globex: { name: "Globex" } },
      noMapping,
    ],
    "a state with restapi 1.20": [acmeWith({}), whole],
    "a state with restapi 3.0 that was refreshed, so that data is a response": [
      acmeWith({ data: response("acme"), read_data }),
      withoutMapping,
      noMapping,
    ],
    "a state with restapi 3.0 that ignores what the service adds": [
      acmeWith({ api_response: "{}", create_response: response("acme") }),
      whole,
    ],
    "a state with restapi 3.0 in which a refresh has mixed data with a response": [
      acmeWith({ data: JSON.stringify(mixed), read_data }),
      withoutMapping,
      noMapping,
    ],
    "a state with terracurl whose response is sensitive": [
      terracurl({ response: null, sensitive_response: response("acme") }),
      { acme: { name: "Acme", mapping } },
    ],
    "a state with terracurl": [
      terracurl({ response: response("acme") }),
      { acme: { name: "Acme", mapping } },
    ],
    "a state in which the service has other values than the request": [
      acmeWith({ api_response: response("acme", { name: "Theirs" }), destroy_data: null }),
      { acme: { name: "Theirs", mapping } },
      /^user group "acme": the service has another name or other properties .*They are used\.$/m,
    ],
    "an export of Pulumi, with a secret value": [
      pulumi(userGroup("acme")),
      { acme: { name: "Acme", properties: { plan: "pro" }, keepers: { a: "b" } } },
      /^user group "acme": pass the secret values with pulumi\.secret\.$/m,
    ],
  };
  for (const [name, [source, groups, notes = /Next: /]] of Object.entries(cases))
    it(`is ${name}`, async () => {
      const { code, err, files } = await importFile(source, ["--program", "groups.json"]);
      assert.equal(code, 0, err);
      assert.deepEqual(files["groups.json"], groups);
      assert.match(err, notes);
    });

  it("leaves out what isn't a group to import, and says why", async () => {
    const other = { attributes: { data: '{"id":1}', api_response: '{"id":1}' } };
    const state = terraform([
      restapi("acme"),
      { ...restapi("old"), deposed: "1" },
      { ...other, index_key: 0 },
    ]);
    const notes = [
      ...[`Left out:\n  ${place("old")} is an object that a replacement has left`],
      ...[`  module.eu.restapi_object.user_group[0] isn't a user group`],
    ];
    assert((await importFile(state)).err.includes(notes.join("\n")));
    const { code, err } = await importFile(
      pulumi(
        userGroup("lookup", { external: true }),
        userGroup("leaving", { delete: true }),
        userGroup("replaced", { pendingReplacement: true }),
      ),
    );
    assert.equal(code, 1);
    assert.match(
      err,
      /no user groups.*\n.*::lookup is a lookup.*\n.*::leaving is to be .*\n.*::replaced was /,
    );
    const data = await importFile(terraform([restapi("acme")], "restapi_object", "data"));
    assert.match(data.err, /module\.eu\.data\.restapi_object\.user_group\["acme"\] is a data source/);
  });

  const refused: Record<string, [source: object | string, message: string]> = {
    "with a response about another group": [
      acmeWith({ api_response: response("globex") }),
      `${place("acme")} has a response about another user group than its request`,
    ],
    "with a group without a token": [
      acmeWith({ api_response: '{"success":0}' }),
      `${place("acme")} has no valid response: its token is required`,
    ],
    "with a response that is a refusal": [
      acmeWith({ api_response: response("acme").replace('"success":1', '"success":0') }),
      `${place("acme")} has a response that refuses its request (success 0)`,
    ],
    "with a group whose request isn't known": [
      acmeWith({ data: '{"id":"acme"}' }),
      `${place("acme")} has no request with a user_group_id`,
    ],
    "with one token for two groups": [{ acme, globex: acme }, '"globex" has the same token as "acme"'],
    "with one ID for two groups": [
      terraform([
        restapi("acme"),
        { ...restapi("acme", { api_response: response("acme", { token: "t" }) }), index_key: 1 },
      ]),
      `module.eu.restapi_object.user_group[1] has the same userGroupId as ${place("acme")}`,
    ],
    "with a key that is there twice": [
      '{"a":{"name":"\\"}{","token":"t1"},"b":{"name":"b","token":"t2"},"a":{"name":"A","token":"t3"}}',
      '"a" is in the file twice',
    ],
    "with a field that is there twice": [
      '{"a":{"name":"A","token":"t1","properties":{"token":"p"},"token":"t2"}}',
      '"a" has the field "token" twice',
    ],
    "with an invalid argument": [
      { acme: { ...acme, mapping: { a: true } } },
      '"acme" is invalid: its mapping.a must be',
    ],
    "with an unknown field": [{ acme: { ...acme, id: 1 } }, '"acme" has the unknown field "id"'],
    "with a group of another service": [
      pulumi(
        userGroup("acme", { outputs: { ...userGroup("acme").outputs, baseUrl: "https://eu.example.com" } }),
      ),
      `${urn("acme")} belongs to the service at https://eu.example.com, but the setting baseUrl is https://analytics.example.com`,
    ],
    "that is encrypted (Pulumi)": [
      pulumi(userGroup("acme", { outputs: { token: { ...secret, ciphertext: "v1:" } } })),
      `${urn("acme")} is encrypted: export the stack with --show-secrets`,
    ],
    "whose last update failed": [
      pulumi(userGroup("acme", { initErrors: ["failed"] })),
      `${urn("acme")} has a failure of its last update`,
    ],
    "whose last operation was interrupted": [
      {
        deployment: {
          resources: [],
          pending_operations: [{ type: "updating", resource: userGroup("acme") }],
        },
      },
      `${urn("acme")} has an operation that was interrupted: run pulumi refresh`,
    ],
    "that is encrypted (OpenTofu)": [
      { version: 4, encrypted_data: "e" },
      "Pass the output of tofu state pull",
    ],
    "of an old version of Terraform": [{ version: 3, resources: [] }, "its version must be 4"],
    "that is the output of show -json": [
      { format_version: "1.0", values: {} },
      "Pass the output of state pull",
    ],
    "that isn't JSON": ["t0ken", "The source isn't a JSON object"],
    "without groups": [{}, "the source has no user groups"],
  };
  for (const [name, [source, message]] of Object.entries(refused))
    it(`is refused ${name}`, async () => {
      const { code, out, err, files } = await importFile(source, ["--program", "groups.json"]);
      assert.deepEqual([code, out, files], [1, "", {}]);
      assert(err.includes(message), err);
    });
});

describe("import-file: its files", () => {
  it("mark tokens and the source's secrets, and count the groups as adopted", async () => {
    const former = secretOf([
      { name: "Acme", providedId: "acme", token: "t0ken", since: "2026-01-01T00:00:00.000Z" },
    ]);
    const outputs = { ...userGroup("acme").outputs, providedId: "acme~2", former };
    const source = pulumi(userGroup("acme", { outputs }));
    const { files } = await importFile(source, ["--each", "--program", "p", "--plugin"]);
    const properties = secretOf({ plan: "pro" });
    const [resource] = files["import.json"]?.resources ?? [];
    assert.deepEqual(resource, {
      ...{ type: "user-groups:index:UserGroup", name: "acme", id: "acme" },
      inputs: { userGroupId: "acme", name: "Acme", properties, keepers: { a: "b" } },
      outputs: { ...outputs, adopted: true },
    });
  });

  it("keep the names of single resources, and the other arguments of a resource with all groups", async () => {
    const named = { urn: urn("corporation"), outputs: { ...userGroup("acme").outputs, adopt: false } };
    const single = await importFile(pulumi(userGroup("acme", named)), ["--each", "--program", "p"]);
    const [{ name, inputs } = {}] = single.files["import.json"]?.resources ?? [];
    assert.deepEqual([name, inputs?.["adopt"]], ["corporation", false]);
    const outputs = { groups: { acme: { name: "Acme" } }, tokens: secretOf({ acme: "t" }), deletionLimit: 3 };
    const all = { ...userGroup("all"), type: "user-groups:index:UserGroups", inputs: {}, outputs };
    const many = await importFile(pulumi(all), ["--resource", "customers", "--connection", "eu"]);
    const [customers] = many.files["import.json"]?.resources ?? [];
    assert.equal(customers?.name, "customers");
    assert.deepEqual([customers.inputs["deletionLimit"], customers.inputs["connection"]], [3, "eu"]);
    const declare = /^The resources of the source have deletionLimit: declare that in the program, too\.$/m;
    assert.match(many.err, declare);
    const { err } = await importFile(pulumi(all), ["--each"]);
    assert.match(err, /^The resources of the source have deletionLimit: no argument of a UserGroup\.$/m);
  });

  it("can be read by their owner only, and replace none; without --program, the object is printed", async () => {
    const { code, out, err, modes, files } = await importFile({ acme });
    assert.deepEqual([code, JSON.parse(out)], [0, { acme: { name: "Acme", mapping: acme.mapping } }]);
    assert.deepEqual(modes, { "import.json": privateMode });
    assert.match(err, /contains tokens\.$/);
    assert.equal(files["import.json"]?.resources[0]?.type, "pulumi-nodejs:dynamic/user-groups:UserGroups");
    for (const flags of [
      ["--out", "source.json"],
      ["--program", "source.json"],
    ]) {
      const refused = await importFile({ acme }, flags);
      assert.deepEqual([refused.code, refused.files], [1, {}]);
      assert.match(refused.err, /No file was written, because .*source\.json exists\.$/);
    }
  });
});

describe("import-file", () => {
  for (const [what, code, message, options, flags] of [
    [
      "an engine that is too old",
      1,
      /on the PATH is 3\.253\.1, and .* only from 3\.254 on/,
      { version: "v3.253.1" },
      [],
    ],
    [
      "no address of the service",
      1,
      /address of the service is missing\. Set .* USER_GROUPS_BASE_URL/,
      { baseUrl: "" },
      [],
    ],
    ["no --out", 2, /import-file requires --from FILE and --out FILE/, {}, ["--out", ""]],
    ["two shapes", 2, /--resource and --each exclude each other/, {}, ["--each", "--resource", "a"]],
    ["a connection in upper case", 2, /--connection: must/, {}, ["--connection", "EU"]],
  ] as const)
    it(`refuses ${what}`, async () => {
      const { files, ...result } = await importFile({ acme }, flags, options);
      assert.deepEqual([result.code, files], [code, {}]);
      assert.match(result.err, message);
    });

  it("prints no secret values", async () => {
    const { code, err, files } = await importFile(pulumi(userGroup("acme")));
    assert.deepEqual([code, files], [2, {}]);
    assert.match(err, /values of user group "acme" are secret.*set --program FILE/);
  });
});

interface ImportFile {
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly inputs: Record<string, unknown>;
  }[];
}

/** Runs the command with a source on standard input. Asserts that it prints no token. */
function importFile(
  source: object | string,
  flags: readonly string[] = [],
  { version = "v3.254.0", baseUrl = "https://analytics.example.com" } = {},
): Promise<CommandResult & { files: Record<string, ImportFile>; modes: Record<string, number> }> {
  return withFolder(async (folder) => {
    const paths = flags.map((flag, index) => {
      const isPath = ["--out", "--program"].includes(flags[index - 1] ?? "") && flag !== "";
      return isPath ? join(folder, flag) : flag;
    });
    const input = typeof source === "string" ? source : JSON.stringify(source);
    await fs.writeFile(join(folder, "source.json"), input);
    await fs.mkdir(join(folder, "bin"));
    const engine = `console.log(process.argv[2] === "version" ? "${version}" : "{}");`;
    await writeProgram(join(folder, "bin"), "pulumi", engine);
    const PATH = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
    const out = flags.includes("--out") ? [] : ["--out", join(folder, "import.json")];
    const environment = { PATH, USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_EU_BASE_URL: baseUrl };
    const result = await runCommand(["import-file", "--from", "-", ...out, ...paths], { environment, input });
    assert.doesNotMatch(result.out + result.err, /t0ken/);
    const files: Record<string, ImportFile> = {};
    const modes: Record<string, number> = {};
    for (const name of (await fs.readdir(folder)).filter((each) => !["source.json", "bin"].includes(each))) {
      files[name] = JSON.parse(await fs.readFile(join(folder, name), "utf8")) as ImportFile;
      modes[name] = (await fs.stat(join(folder, name))).mode & 0o777;
    }
    return { ...result, files, modes };
  });
}
