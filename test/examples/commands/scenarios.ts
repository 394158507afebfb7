/**
 * Incidents and tasks, each followed by the commands of the page that is for it. A step is a reference to blocks of commands, which run as
 * they stand on the page, or something in between: to the service, to the program, to a run.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { LocalDatabase } from "../../../examples/database/test/localDatabase";
import { repository, snippetsOf } from "../../pages/pages";
import { packageProgram, pluginProgram, tokensOf } from "../../support/engine";
import { startArchiveServer } from "../../support/engine/archiveServer";
import { withGateway } from "../../support/harness/gateway";
import { loopbackCertificate } from "../../unit/testing/loopbackCertificate";
import { binaryFrom } from "../../release/packages/tool";
import { workerNode } from "../installed";
import { newSql } from "../sql";
import { eventually } from "../workerDeployment";
import type { Place, PlaceOptions } from "./place";
import { gatewayKey } from "./placeholders";
import { sources } from "./sources";

/**
 * A reference; a reference to a server, which goes on, until it `shows` something (default: an address); one whose commands print a text; or
 * anything else.
 */
export type Step =
  | string
  | { readonly serve: string; readonly shows?: RegExp }
  | { readonly follow: string; readonly prints: string }
  | ((place: Place) => unknown);

export interface Scenario extends PlaceOptions {
  readonly title: string;
  /** Whether it runs for each change, and not only before a release. */
  readonly isSample?: boolean;
  readonly steps: readonly Step[];
  /**
   * In the end. `delivered` (the default): tokens.json and the stack's outputs have the tokens of the service, and the next preview is
   * empty. `settled`: the next preview is empty. `gone`: the service has no group. `checked`: the last step has checked it.
   */
  readonly end?: "delivered" | "settled" | "gone" | "checked";
}

type Files = Readonly<Record<string, string>>;

const up = run("pulumi up --skip-preview");
const tokens = "docs/command-line.md#tokens";
const orphanDeletion = "docs/existing-groups.md#delete-a-group-that-no-stack-has";
const guide = "docs/guide.md";
const ids = ["acme", "globex", "hooli", "initech"];

const incidents: readonly Scenario[] = [
  {
    title: "a group was deleted, so its dashboards are blank",
    isSample: true,
    program: many("Customer"),
    steps: [up, ({ emulator }) => emulator.removeGroup("acme"), "docs/runbooks.md#dashboards-are-blank"],
  },
  {
    title: "the first up was killed",
    program: each("Customer"),
    steps: [
      killed(2, "up"),
      "docs/runbooks.md#interruptions:1",
      run('test -z "$(pulumi up | grep "pending operations")"'),
    ],
  },
  {
    title: "a change was killed, and is taken back",
    program: each("Customer"),
    steps: [
      up,
      becomes(each("Renamed")),
      killed(5, "up"),
      "docs/runbooks.md#interruptions:1",
      assertDelivered,
      becomes(each("Customer")),
      up,
      tokens,
    ],
  },
  {
    title: "a destroy was killed",
    program: each("Customer"),
    steps: [up, killed(2, "destroy"), "docs/runbooks.md#interruptions:2"],
    end: "gone",
  },
  {
    title: "a user group token leaked",
    program: each("Customer", "{ overlap: true }"),
    steps: [
      up,
      becomes(
        each("Customer", '{ overlap: true, overlapHours: 0, keepers: id === "acme" ? { leak: "1" } : {} }'),
      ),
      async (place) => {
        const { output } = await place.shell("pulumi preview");
        const named = output.match(/user group "\w+" gets a new token/g);
        assert.deepEqual([...new Set(named)], ['user group "acme" gets a new token']);
      },
      "docs/runbooks.md#a-user-group-token-leaked",
    ],
  },
  {
    title: "the API token in the configuration is rotated",
    program: many("Customer"),
    steps: [
      "docs/accounts.md#rotate-the-api-token:2",
      ({ emulator }) => emulator.rotateApiToken(),
      "docs/accounts.md#rotate-the-api-token",
      run("unset USER_GROUPS_API_TOKEN", "pulumi refresh --skip-preview"),
    ],
    end: "settled",
  },
  {
    title: "the API token of an emulator on the command line is rotated",
    program: many("Customer"),
    steps: [
      { serve: "docs/command-line.md#emulate" },
      async (place) => {
        const apiToken = await place.shown(/API_TOKEN=(.*)\n/);
        await place.shell(`export USER_GROUPS_BASE_URL=${place.served} USER_GROUPS_API_TOKEN=${apiToken}`);
        await place.shell("pulumi up");
        await place.shell(await place.shown(/(kill -USR2 \d+)/));
        place.newToken = await place.shown(/API_TOKEN=[^]*API_TOKEN=(.*)\n/);
        assert.match((await place.attempt("pulumi refresh --skip-preview")).output, /\[unauthorized\]/);
      },
      "docs/accounts.md#rotate-the-api-token:1",
    ],
    end: "settled",
  },
  {
    title: "the state is lost after a change",
    program: many("Customer"),
    steps: [
      up,
      "docs/runbooks.md#back-up-and-restore:1",
      becomes(many("Renamed")),
      run("pulumi up", "pulumi stack rm --force", "pulumi stack init dev"),
      "docs/runbooks.md#back-up-and-restore:2",
    ],
  },
  {
    title: "an up fails for one customer",
    program: each("Customer"),
    steps: [
      up,
      becomes(each("Renamed")),
      ({ emulator }) => {
        emulator.fault({ kind: "refuse", method: "GET", userGroupId: "hooli" });
      },
      fails("pulumi up --skip-preview", /"hooli".*\[service-refused\]/),
      "docs/deliver-tokens.md#before-and-after-each-up",
      assertDelivered,
      "docs/deliver-tokens.md#outputs",
    ],
  },
  {
    title: "the address has the path of the requests",
    program: many("Customer"),
    steps: [
      run('export USER_GROUPS_BASE_URL="$USER_GROUPS_BASE_URL/api/user"'),
      fails("pulumi up --skip-preview", /it is the address without \/api\/user\. \[not-found\]/),
      "docs/messages.md#messages",
      run("unset USER_GROUPS_BASE_URL"),
      "docs/reference.md#settings",
      up,
      tokens,
    ],
  },
];

const tasks: readonly Scenario[] = [
  {
    title: "another program reads the tokens",
    program: many("Customer"),
    steps: [
      up,
      (place) => place.enter("reader", typeScript(snippet("docs/deliver-tokens.md", "ts", 1))),
      "docs/deliver-tokens.md#from-another-program",
      async (place) => {
        const { stdout } = await place.shell("pulumi stack output acmeToken --show-secrets");
        assert.equal(stdout.trim(), place.emulator.groups.get("acme")?.token);
      },
    ],
    end: "settled",
  },
  {
    title: "a change is reviewed",
    program: many("Customer"),
    steps: [
      up,
      becomes(many("Renamed")),
      "docs/command-line.md#review",
      async (place) => {
        const { output } = await place.shell("npx --no pulumi-user-groups review --stack dev");
        assert.match(output, /\*\*4 customers get a new token, and are blank until you deliver it\*\*/);
      },
      up,
      tokens,
    ],
  },
  {
    title: "the service updates existing groups",
    program: many("Customer"),
    service: { existing: "update" },
    steps: [up, ...keepingTokens("docs/changes.md#updates-in-place", becomes(many("Renamed")), up), tokens],
  },
  {
    title: "existing groups are imported",
    program: pluginProgram(""),
    steps: [
      ({ emulator }) => {
        emulator.putGroup({ userGroupId: "acme", name: "Acme Corporation" });
      },
      "docs/existing-groups.md#import-by-id",
      fails("pulumi import --yes user-groups:index:UserGroup b b=B", /it doesn't exist .*\[no-such-group\]/),
      becomes(pluginProgram('new UserGroup("b", { userGroupId: "b", name: "B" }, { import: "b=B" });')),
      fails("pulumi preview", /it doesn't exist .*\[no-such-group\]/),
      fails("pulumi up --skip-preview", /it doesn't exist .*\[no-such-group\]/),
      ({ emulator }) => {
        assert.deepEqual([...emulator.groups.keys()], ["acme"]);
      },
      becomes(
        pluginProgram(
          'new UserGroup("acme", { userGroupId: "acme", name: "Acme Corporation" }, { protect: true });',
        ),
      ),
      up,
    ],
    end: "settled",
  },
  {
    title: "a group that no stack has is deleted by its ID",
    program: many("Customer"),
    steps: [
      up,
      ({ emulator }) => emulator.putGroup({ userGroupId: "acme~5d41402a", name: "Acme" }),
      tokens,
      "docs/command-line.md#list",
      orphanDeletion,
      ({ emulator }) => {
        assert.deepEqual([...emulator.groups.keys()].sort(), ids);
      },
      (place) => assert.rejects(place.follow(orphanDeletion), /it doesn't exist .*\[no-such-group\]/),
    ],
  },
  {
    title: "groups move to another project",
    program: many("Customer"),
    steps: [
      up,
      ...keepingTokens(
        (place) => place.enter("new", imported("customers")),
        run("ln -s program ../old"),
        "docs/moves.md#by-an-import-file:1",
        becomes(packageProgram("")),
        "docs/moves.md#by-an-import-file:2",
        run("pulumi up", "pulumi -C ../old up"),
      ),
      tokens,
    ],
  },
  {
    title: "a script's groups come from a file",
    program: imported("user-groups"),
    steps: [
      async ({ emulator, folder }) => {
        const groups = ids.map((userGroupId) => {
          const { name, token } = emulator.putGroup({ userGroupId, name: "Customer" });
          return [userGroupId, { name, token }];
        });
        await fs.writeFile(join(folder, "source.json"), JSON.stringify(Object.fromEntries(groups)));
      },
      ...keepingTokens("docs/command-line.md#import-file", run("pulumi up")),
      tokens,
    ],
  },
  {
    title: "doctor and the probe find the settings right",
    program: many("Customer"),
    steps: ["docs/command-line.md#doctor", "docs/command-line.md#probe", "README.md#does-it-fit", up],
    end: "settled",
  },
  {
    title: "one program uses two services",
    program: { ...pluginProgram(""), ...typeScript(snippet("docs/plugin.md", "ts", 1)) },
    steps: [
      "docs/plugin.md#explicit-providers",
      ({ emulator, second }) => {
        assert.deepEqual([[...emulator.groups.keys()], [...second.groups.keys()]], [["acme"], ["globex"]]);
      },
    ],
    end: "settled",
  },
  {
    title: "the service moves with its groups",
    program: many("Customer"),
    steps: [
      run(
        'pulumi config set user-groups:baseUrl "$USER_GROUPS_BASE_URL"',
        "unset USER_GROUPS_BASE_URL",
        "pulumi up",
      ),
      ({ emulator, second }) => {
        for (const group of emulator.groups.values()) second.putGroup(group, () => group.token);
        second.rotateApiToken(emulator.apiToken);
      },
      "docs/accounts.md#another-address",
      ({ second }) => {
        assert.deepEqual(second.requests, []);
      },
      run("pulumi refresh --skip-preview --expect-no-changes"),
    ],
    end: "settled",
  },
  {
    title: "the service is behind a gateway",
    program: many("Customer"),
    steps: [
      async ({ folder }) => {
        await fs.writeFile(join(folder, "client.pem"), loopbackCertificate.cert);
        await fs.writeFile(join(folder, "client.key"), loopbackCertificate.key);
      },
      "docs/reference.md#behind-a-gateway",
      (place) =>
        withGateway(
          place.emulator,
          { header: ["x-api-key", gatewayKey], isTls: true, isMutual: true },
          async (url) => {
            await place.shell(`export USER_GROUPS_BASE_URL=${url}`);
            assert.match((await place.attempt("pulumi up")).output, /\[certificate-untrusted\]/);
            await place.shell("export NODE_EXTRA_CA_CERTS=$PWD/client.pem\npulumi up");
          },
        ),
    ],
    end: "settled",
  },
  {
    title: "a YAML program uses the plugin of a release",
    program: { "Pulumi.yaml": yamlProgram() },
    steps: [
      async (place) => {
        const archives = await startArchiveServer();
        place.atEnd(() => archives.stop());
        place.served = archives.address;
        await fs.cp(archives.folder, place.folder, { recursive: true });
      },
      "docs/security.md#the-plugins-archives",
      "docs/plugin.md#install:2",
      up,
    ],
    end: "settled",
  },
  {
    title: "a YAML program uses the plugin of the package",
    folder: () => sources.emptyFolder(),
    steps: [
      async ({ folder }) => {
        const plugin = join(folder, "node_modules/pulumi-user-groups/plugin");
        await fs.cp(join(repository, "plugin"), plugin, { recursive: true });
        const program = yamlProgram(snippet("docs/plugin.md", "yaml", 0));
        await fs.writeFile(join(folder, "Pulumi.yaml"), program);
      },
      run("pulumi stack init dev"),
      "docs/plugin.md#install:1",
      up,
    ],
    end: "settled",
  },
  {
    title: "the guide: two customers from their first day to their last",
    folder: () => sources.emptyFolder(),
    steps: [
      `${guide}#1-install`,
      ({ folder }) => writeGuide(folder, 0),
      `${guide}#3-preview`,
      { serve: `${guide}#4-create-the-groups:1` },
      `${guide}#4-create-the-groups:2`,
      `${guide}#5-deliver-the-tokens`,
      deliversNewTokens("acme", "globex"),
      ({ folder }) => writeGuide(folder, 1),
      { follow: `${guide}#6-a-customer-is-renamed:1`, prints: snippet(guide, "text", 0) },
      `${guide}#6-a-customer-is-renamed:2`,
      deliversNewTokens("acme", "globex"),
      ({ folder }) => writeGuide(folder, 2),
      `${guide}#7-a-customer-leaves`,
      (place) => place.stopServing(),
      { serve: `${guide}#4-create-the-groups:1` },
      { follow: `${guide}#8-somebody-changes-the-service`, prints: "was created again with a new token" },
      deliversNewTokens("globex"),
      `${guide}#9-delete-everything`,
    ],
    end: "checked",
  },
  {
    title: "the lines of the README and the home page install the package into an empty folder",
    folder: () => sources.emptyFolder(),
    steps: ["README.md#install", "docs/index.md"],
    end: "checked",
  },
  {
    title: "the demo runs in a clone",
    folder: () => sources.emptyFolder(),
    steps: ["README.md#try-it-in-a-clone"],
    end: "checked",
  },
];

/** Groups of another owner, the second of which has another name than the example. */
const existing = [
  { userGroupId: "acme", name: "Acme", properties: { region: "eu" } },
  { userGroupId: "globex", name: "Globex International" },
];

/** The examples by their folders: the groups of the service in the end, and what the text says to do between the blocks. */
const examples: Readonly<Record<string, Partial<Scenario> & { groups: number }>> = {
  quickstart: { groups: 2 },
  adopting: {
    groups: 2,
    steps: [
      ({ emulator }) => {
        for (const group of existing) emulator.putGroup(group, () => `token-of-${group.userGroupId}`);
      },
      "examples/adopting/README.md",
      fails("pulumi preview", /globex.*\n?.*protect/i),
      correctName,
      run(
        "pulumi up",
        "pulumi preview --expect-no-changes",
        "pulumi state unprotect --all",
        "pulumi destroy",
      ),
      ({ emulator }) => {
        assert.deepEqual(tokensOf(emulator), { acme: "token-of-acme", globex: "token-of-globex" });
      },
    ],
  },
  database: {
    groups: 3,
    steps: [
      startDatabase,
      async ({ emulator, folder }) => {
        const group = { name: "Acme Corporation", properties: { region: "eu" } };
        const { token } = emulator.putGroup({ userGroupId: "acme", ...group });
        await fs.writeFile(join(folder, "existing.json"), JSON.stringify({ acme: { ...group, token } }));
      },
      "examples/database/README.md:1",
      "examples/database/README.md:2",
      ({ emulator }) => {
        assert.deepEqual(emulator.requests, []);
      },
      "examples/database/README.md:3",
      ({ emulator }) => {
        // An imported state doesn't know its account, so one of its groups proves it.
        const requests = emulator.requests.filter(({ userGroupId }) => userGroupId === "acme");
        assert.deepEqual(new Set(requests.map(({ effect }) => effect)), new Set(["returned"]));
      },
    ],
  },
  embedding: { groups: 2, steps: [{ serve: "examples/embedding/README.md" }, assertLogin] },
  testing: { groups: 0, hasNoPulumi: true },
};

const readmes: readonly Scenario[] = Object.entries(examples).flatMap(([name, { groups, ...example }]) =>
  (["copy", "clone"] as const).map((place) => ({
    ...example,
    title: `examples/${name} runs in a ${place}`,
    folder: () => sources[place](`examples/${name}`),
    steps: [
      ...(example.steps ?? [`examples/${name}/README.md`]),
      ({ emulator }: Place) => {
        assert.equal(emulator.groups.size, groups);
      },
    ],
    end: "checked" as const,
  })),
);

export const scenarios: readonly Scenario[] = [
  ...incidents,
  ...tasks,
  ...readmes,
  {
    title: "examples/worker runs in a clone",
    folder: () => sources.clone("examples/worker"),
    steps: [
      startWorkerDatabase,
      { serve: "examples/worker/README.md:1", shows: /^(ready)$/m },
      assertWorkerSignUp,
    ],
    end: "checked",
  },
  {
    title: "examples/languages/yaml runs in a clone",
    folder: () => sources.clone("examples/languages/yaml"),
    steps: ["examples/languages/README.md:3"],
    end: "settled",
  },
];

export function run(...commands: readonly string[]): Step {
  return (place) => place.shell(commands.join("\n"));
}

function fails(command: string, pattern: RegExp): Step {
  return async (place) => {
    const { code, output } = await place.attempt(command);
    assert.notEqual(code, 0);
    assert.match(output, pattern);
  };
}

/** The files of the guide after so many of its changes: a customer is renamed, another one leaves. */
async function writeGuide(folder: string, changes: number): Promise<void> {
  const [first = "", renamed = "", left = ""] = snippetsOf(guide, "ts");
  let program = first;
  if (changes > 0) program = program.replace(/^const globex.*$/m, renamed);
  if (changes > 1) program = program.replace(/^const acme.*\n/m, "").replace(/^export.*$/m, left);
  await fs.writeFile(join(folder, "Pulumi.yaml"), snippet(guide, "yaml", 0));
  await fs.writeFile(join(folder, "index.ts"), program);
}

/** tokens.json has the tokens of these customers. The last one has another token than in the delivery before. */
function deliversNewTokens(...customers: readonly string[]): Step {
  return async ({ folder }) => {
    const read = async (file: string) => {
      const text = await fs.readFile(join(folder, file), "utf8").catch(() => "{}");
      return JSON.parse(text) as Readonly<Record<string, string>>;
    };
    const delivered = await read("tokens.json");
    assert.deepEqual(Object.keys(delivered).sort(), customers);
    const [changed = ""] = customers.slice(-1);
    assert.notEqual(delivered[changed], (await read("before.json"))[changed]);
    await fs.copyFile(join(folder, "tokens.json"), join(folder, "before.json"));
  };
}

/** The program of the first project from now on. */
function becomes(program: Files): Step {
  return (place) => place.program(program);
}

function killed(requests: number, command: string): Step {
  return (place) => place.killed(requests, `pulumi ${command} --yes --skip-preview --parallel 4`);
}

/** The service has the same tokens after the steps as before. */
export function keepingTokens(...steps: readonly Step[]): readonly Step[] {
  let before = {};
  const note = ({ emulator }: Place) => {
    before = tokensOf(emulator);
  };
  const compare = ({ emulator }: Place) => {
    assert.deepEqual(tokensOf(emulator), before);
  };
  return [note, ...steps, compare];
}

/** A `UserGroup` for each customer. `others`: further arguments of the customer `id`. */
function each(name: string, others = "{}"): Files {
  return packageProgram(`
    const groupOf = (id) => new UserGroup(id, { userGroupId: id, name: "${name}", ...${others} });
    exports.tokens = Object.fromEntries(${JSON.stringify(ids)}.map((id) => [id, groupOf(id).token]));
  `);
}

/** One `UserGroups` for all customers. */
function many(name: string): Files {
  return packageProgram(`
    const groups = Object.fromEntries(${JSON.stringify(ids)}.map((id) => [id, { name: "${name}" }]));
    exports.tokens = new UserGroups("customers", { groups }).tokens;
  `);
}

/** One `UserGroups` for the groups that `import-file` writes. */
function imported(resource: string): Files {
  return packageProgram(`
    const groups = require("./groups.json");
    exports.tokens = new UserGroups("${resource}", { groups }, { protect: true }).tokens;
  `);
}

export function typeScript(program: string): Files {
  return { "index.ts": program, "package.json": '{ "main": "index.ts" }' };
}

/** That of the example, with other lines that tell where the plugin is. */
function yamlProgram(plugins = ""): string {
  const program = readFileSync(join(repository, "examples/languages/yaml/Pulumi.yaml"), "utf8");
  return program.replace(/^plugins:\n( .*\n)*/m, `${plugins}\n`);
}

export function snippet(page: string, language: string, index: number): string {
  return snippetsOf(page, language)[index] ?? assert.fail(`${page} has no such ${language}`);
}

/** The application has the tokens that the service has. */
export async function assertDelivered({ folder, emulator }: Place): Promise<void> {
  const delivered = await fs.readFile(join(folder, "tokens.json"), "utf8");
  const held = Object.values(tokensOf(emulator));
  assert.equal(Object.keys(JSON.parse(delivered) as object).length, held.length);
  for (const token of held) assert(delivered.includes(`"${token}"`), "A token wasn't delivered");
}

async function startDatabase(place: Place): Promise<void> {
  const database = await LocalDatabase.start();
  place.database = database;
  place.atEnd(() => database.remove());
}

/** The one that the README names for a clone. */
async function startWorkerDatabase(place: Place): Promise<void> {
  const node = await binaryFrom(workerNode, join(place.folder, "../../../node"));
  await place.shell(`export PATH="${node}:$PATH"`);
  place.workerUrl = await place.goesOn("npm run database", /export DATABASE_URL='(.*)'/);
}

async function assertWorkerSignUp(place: Place): Promise<void> {
  const application = newSql(await place.shown(/export APPLICATION_URL='(.*)'/));
  place.atEnd(() => application.end());
  const [signUp = ""] = snippet("examples/worker/README.md", "sql", 0).split("\n");
  await application.unsafe(signUp);
  const tokens = () => application<{ token: string }>`select token from dashboard_tokens`;
  await eventually(async () => (await tokens()).length > 0);
  assert.deepEqual(
    (await tokens()).map(({ token }) => token),
    Object.values(tokensOf(place.emulator)),
  );
}

async function assertLogin({ served }: Place): Promise<void> {
  assert.equal((await fetch(`${served}/login`)).status, 200);
}

/** "Change the program to the values of the service". */
async function correctName({ folder }: Place): Promise<void> {
  const file = join(folder, "existing.ts");
  const text = await fs.readFile(file, "utf8");
  await fs.writeFile(file, text.replace('"Globex"', '"Globex International"'));
}
