import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  isSecret,
  newFixture,
  requestsTo,
  stepsOf,
  succeeds,
  tokensOf,
  type Environment,
  type Result,
} from "../../engine/harness";
import { pythonEnvironment } from "../../engine/harness/languages";
import { snippetOf } from "./pagePrograms";

const page = "docs/handing-tokens-on.md";

interface Reader {
  readonly files: Readonly<Record<string, string>>;
  readonly environment: () => Promise<Environment>;
}

/** The digest of the token is the one output that tests may read in plain text. */
const readers: Readonly<Record<string, Reader>> = {
  TypeScript: {
    files: {
      "Pulumi.yaml": "name: reader\nruntime: nodejs\n",
      "package.json": '{ "name": "reader", "private": true, "main": "index.ts" }\n',
      "index.ts": `${snippetOf(page, "ts", 1)}
        import { createHash } from "node:crypto";
        import { unsecret } from "@pulumi/pulumi";
        const digestOf = (token = "") => createHash("sha256").update(token).digest("hex");
        export const digest = unsecret(acmeToken.apply(digestOf));
      `,
    },
    environment: () => Promise.resolve({}),
  },
  Python: {
    files: {
      "Pulumi.yaml": "name: reader\nruntime: python\n",
      "__main__.py": `${snippetOf(page, "python")}
import hashlib
token = tenants.require_output("tokens").apply(lambda tokens: tokens["acme"])
pulumi.export("digest", pulumi.Output.unsecret(token.apply(lambda token: hashlib.sha256(token.encode()).hexdigest())))
`,
    },
    environment: pythonEnvironment,
  },
};

describe(page, () => {
  const fixture = newFixture(() => ({ program: tenants }));
  before("the tenants", async () => {
    succeeds(await fixture.stack.up());
    fixture.emulator.clearRequests();
  });

  for (const [language, { files, environment }] of Object.entries(readers))
    it(`shows a program in ${language} that reads a token, without a request, and keeps it secret`, async () => {
      const folder = `reader-${language}`;
      const inFolder = Object.entries(files).map(([name, text]): [string, string] => [
        `${folder}/${name}`,
        text,
      ]);
      await fixture.stack.program(Object.fromEntries(inFolder));
      const env = await environment();
      const reader = async (...command: string[]) =>
        succeeds(await fixture.stack.run(["--cwd", folder, ...command, "--stack", language], { env }));
      succeeds(await fixture.stack.run(["--cwd", folder, "stack", "init", "--no-select", language], { env }));
      await reader("config", "set", "tenants", "organization/tests/dev");
      await reader("up", "--yes", "--skip-preview");
      const { stdout } = await reader("stack", "output", "--json");
      const digest = createHash("sha256")
        .update(tokensOf(fixture.emulator)["acme"] ?? "")
        .digest("hex");
      assert.deepEqual(JSON.parse(stdout), { acmeToken: "[secret]", digest });
      assert.deepEqual(requestsTo(fixture.emulator), []);
    });
});

describe(`${page}: one secret for each tenant`, () => {
  const shown = snippetOf(page, "ts");
  const fixture = newFixture(() => ({ program: { ...typescript, "index.ts": newSecret + shown } }));
  const secrets = ["dashboard-token-acme", "dashboard-token-globex"];
  const stepsOfSecrets = (result: Result) => secrets.map((name) => stepsOf(result, name));
  before("the tenants and their secrets", async () => {
    succeeds(await fixture.stack.up());
  });

  it("holds the tenant's token", async () => {
    for (const name of secrets) assert(isSecret((await fixture.stack.resource(name)).outputs["value"]));
  });

  it("changes only where the token does, though the preview shows all as changed", async () => {
    await fixture.stack.program({
      "index.ts": newSecret + shown.replace('"Globex"', '"Globex International"'),
    });
    const preview = succeeds(await fixture.stack.preview());
    assert.deepEqual(stepsOfSecrets(preview), [["update"], ["update"]]);
    const up = succeeds(await fixture.stack.up());
    assert.deepEqual(stepsOfSecrets(up), [["same"], ["update"]]);
  });

  it("goes with the tenant", async () => {
    await fixture.stack.program({ "index.ts": newSecret + shown.replace(/, globex: {[^}]*}/, "") });
    const up = succeeds(await fixture.stack.up());
    assert.deepEqual(stepsOfSecrets(up), [["same"], ["delete"]]);
  });
});

const typescript = {
  "package.json": '{ "name": "tests", "private": true, "main": "index.ts" }\n',
};

/** A resource that only records the value. */
const newSecret = `
  import { dynamic, type Output } from "@pulumi/pulumi";
  function newSecret(name: string, value: Output<string>) {
    const provider: dynamic.ResourceProvider = {
      create: (inputs: object) => Promise.resolve({ id: "secret", outs: inputs }),
      update: (_id: string, _olds: object, outs: object) => Promise.resolve({ outs }),
    };
    class Secret extends dynamic.Resource {}
    new Secret(provider, name, { value });
  }
`;

const tenants = `
  const { UserGroups } = require("pulumi-user-groups");
  const groups = { acme: { name: "Acme" }, globex: { name: "Globex" } };
  exports.tokens = new UserGroups("tenants", { groups }).tokens;
`;
