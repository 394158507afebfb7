import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { inProgram, type Examined, type ProgramContext } from "./doctorProgram";

const own = "node_modules/pulumi-user-groups";
const sdk = "node_modules/@pulumi/pulumi";
const token = "USER_GROUPS_API_TOKEN";
const project = "name: tests\nruntime: nodejs\n";
const baseUrlIsSet = "ok: user-groups:baseUrl is set in the environment (USER_GROUPS_BASE_URL)";
const tokenIsSet = `ok: user-groups:apiToken is set in the environment (${token})`;
const defaults = ["timeout", "maxConnections", "changes", "formerBaseUrl"].map(
  (name) => `ok: user-groups:${name} has its default`,
);

describe("doctor", () => {
  it(
    "passes a sound program, and sends the service a HEAD request without the API token",
    inProgram(async ({ run, examine, emulator }) => {
      const { code, out, err } = await run();
      assert.deepEqual([code, err], [0, ""]);
      assert.equal(
        out,
        [
          "ok       pulumi-user-groups/provider can be loaded from the program's folder.",
          "ok       There is one copy of @pulumi/pulumi, 3.248.0.",
          ...[baseUrlIsSet, tokenIsSet, ...defaults].map(
            (finding) => `${finding.replace("ok: ", "ok       ")}.`,
          ),
          "ok       The service's host answers (without a proxy, no TLS).",
          "",
          "Verdict: ok.",
        ].join("\n"),
      );
      assert.match((await examine()).out, /^\{\n {2}"verdict": "ok"/);
      const requests = emulator.requests.map(({ method, body, authorized }) => [method, body, authorized]);
      assert.deepEqual(requests, new Array(2).fill(["HEAD", undefined, false]));
    }),
  );

  it(
    "ends with the number of failed checks, and prints a remedy for each",
    inProgram(async ({ environment, folder, run, examine }) => {
      await rm(join(folder, own), { recursive: true });
      environment["USER_GROUPS_TIMEOUT"] = "soon";
      const { code, out } = await run();
      assert.equal(code, 1);
      assert.match(out, /^failed {3}user-groups:timeout must be .*\n {9}It is set in the environment/m);
      assert.match(out, /\n\nVerdict: 2 of 8 checks failed\.$/);
      const json = await examine();
      assert.deepEqual([json.code, json.err], [1, ""]);
      assert.match(json.out, /^\{\n {2}"verdict": "failed"/);
    }),
  );

  it(
    "explains its options and exit codes with --help",
    inProgram(async ({ run }) => {
      const { code, out } = await run("--help");
      assert.equal(code, 0);
      for (const option of ["folder", "stack", "connection", "json"])
        assert.match(out, new RegExp(`^ {2}--${option}\\b`, "m"));
      assert.match(out, /^Exit codes: 0 .* 1 .* 2 /m);
    }),
  );
});

interface Found {
  readonly files?: Readonly<Record<string, object | string>>;
  /** The environment beside the address and the token; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly flags?: readonly string[];
  readonly findings: Examined["findings"];
}

/** A program with these files, and findings in it. The exit code is 1 if one of them is a failure. */
const cases: Record<string, Found> = {
  "a package that can't be loaded": {
    files: { [`${own}/provider.js`]: "throw new Error();" },
    findings: { package: [cannotLoad()] },
  },
  "a package without one of its exports, in the folder of `main`": {
    files: {
      "Pulumi.yaml": `${project}main: infra/index.ts\n`,
      [`infra/${own}/provider.js`]: "exports.userGroup = 1;",
    },
    findings: { package: [cannotLoad()] },
  },
  "two copies of the SDK": {
    files: { [`${own}/${sdk}/package.json`]: { version: "3.250.0" } },
    findings: {
      sdk: [
        "warning: There are two copies of @pulumi/pulumi: 3.248.0 for the program, 3.250.0 for pulumi-user-groups",
      ],
    },
  },
  "the source of each setting": {
    files: {
      "Pulumi.yaml": `${project}config:\n  user-groups:changes: { value: update }\n  user-groups:timeout: 5\n`,
      "Pulumi.dev.yaml":
        "config:\n  user-groups:apiToken: { secure: v1:hush }\n  user-groups:maxConnections: 13\n",
    },
    env: { [token]: undefined, USER_GROUPS_TIMEOUT: "7.25" },
    findings: {
      settings: [
        baseUrlIsSet,
        "ok: user-groups:apiToken is set, encrypted, in Pulumi.dev.yaml",
        "ok: user-groups:timeout is set in the environment (USER_GROUPS_TIMEOUT)",
        "ok: user-groups:maxConnections is set in Pulumi.dev.yaml",
        "ok: user-groups:changes is set in Pulumi.yaml",
        "ok: user-groups:formerBaseUrl has its default",
      ],
    },
  },
  "an API token in plain text": {
    files: { "Pulumi.dev.yaml": "config:\n  user-groups:apiToken: hush\n" },
    env: { [token]: undefined },
    findings: withToken("warning: user-groups:apiToken is set in plain text in Pulumi.dev.yaml"),
  },
  "missing and invalid settings": {
    env: {
      [token]: undefined,
      USER_GROUPS_BASE_URL: "http://example.com/?hush",
      USER_GROUPS_CHANGES: "hush",
    },
    findings: {
      settings: [
        "failed: user-groups:baseUrl must be an https URL, or an http URL of a loopback host",
        "failed: user-groups:apiToken is missing",
        ...defaults.slice(0, 2),
        'failed: user-groups:changes must be "replace" or "update"',
        ...defaults.slice(3),
      ],
      service: ["skipped: The service wasn't checked, because its address isn't known"],
    },
  },
  "a connection of keys and of one object": {
    files: {
      "Pulumi.dev.yaml":
        "config:\n  user-groups:eu: { apiToken: { secure: v1:hush }, changes: update }\n  user-groups:eu.timeout: 5\n",
    },
    env: { USER_GROUPS_BASE_URL: undefined },
    flags: ["--connection", "eu"],
    findings: {
      settings: [
        "failed: user-groups:eu.baseUrl is missing",
        "ok: user-groups:eu.apiToken is set, encrypted, in Pulumi.dev.yaml",
        "ok: user-groups:eu.timeout is set in Pulumi.dev.yaml",
        "ok: user-groups:eu.maxConnections has its default",
        "ok: user-groups:eu.changes is set in Pulumi.dev.yaml",
        "ok: user-groups:eu.formerBaseUrl has its default",
      ],
    },
  },
  "a connection that isn't an object": {
    files: { "Pulumi.dev.yaml": "config:\n  user-groups:eu: here\n" },
    flags: ["--connection", "eu"],
    findings: { settings: ["failed: The setting user-groups:eu must be an object"] },
  },
  "a setting that an environment of Pulumi ESC may contain": {
    files: { "Pulumi.dev.yaml": "environment: [shared]\n" },
    env: { [token]: undefined },
    findings: withToken("skipped: user-groups:apiToken wasn't found in the places that doctor can read"),
  },
  "the stack of PULUMI_STACK": {
    files: twoStacks(),
    env: { PULUMI_STACK: "dev" },
    findings: withTimeoutIn("Pulumi.dev.yaml"),
  },
  "the stack of --stack, whatever its organization": {
    files: twoStacks(),
    env: { PULUMI_STACK: "dev" },
    flags: ["--stack", "acme/tests/prod"],
    findings: withTimeoutIn("Pulumi.prod.yaml"),
  },
  "a stack's file in the folder of `stackConfigDir`": {
    files: {
      "Pulumi.yaml": `${project}stackConfigDir: stacks\n`,
      "stacks/Pulumi.dev.yml": "config:\n  user-groups:timeout: 5\n",
    },
    findings: withTimeoutIn("Pulumi.dev.yml"),
  },
};

describe("doctor finds, without showing a value,", () => {
  for (const [what, { files = {}, env = {}, flags = [], findings }] of Object.entries(cases))
    it(
      what,
      inProgram(async ({ environment, write, examine }) => {
        await write(files);
        Object.assign(environment, env);
        const { code, out, findings: found } = await examine(...flags);
        assert.deepEqual({ ...found, ...findings }, found);
        assert.equal(code, JSON.stringify(findings).includes('"failed: ') ? 1 : 0);
        assert.doesNotMatch(out, /hush|127\.0\.0\.1|"(13|7\.25|5)"/);
      }),
    );
});

describe("doctor fails in one line", () => {
  const unusable: [what: string, prepare: (context: ProgramContext) => Promise<void>, message: RegExp][] = [
    [
      "without a Pulumi.yaml",
      ({ folder }) => rm(join(folder, "Pulumi.yaml")),
      /there is no Pulumi\.yaml in .*; set --folder to the program's folder$/,
    ],
    [
      "if a stack's file is invalid",
      ({ write }) => write({ "Pulumi.dev.yaml": "config: [}\n" }),
      / Pulumi\.dev\.yaml isn't a valid YAML file of Pulumi$/,
    ],
    [
      "if several stacks have a file, and none is chosen",
      ({ write }) => write(twoStacks()),
      / there are several stacks; set --stack to one of dev, prod$/,
    ],
  ];
  for (const [what, prepare, message] of unusable)
    it(
      what,
      inProgram(async (context) => {
        await prepare(context);
        await failsWith(message, context);
      }),
    );

  for (const [flags, message] of [
    [["--connection", "EU"], / --connection: must consist of lower-case letters/],
    [["--frob"], / Unknown option '--frob'/],
  ] as const)
    it(
      `with the options ${flags.join(" ")}`,
      inProgram((context) => failsWith(message, context, ...flags)),
    );

  async function failsWith(message: RegExp, { examine }: ProgramContext, ...flags: string[]): Promise<void> {
    const { code, out, err } = await examine(...flags);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, message);
    assert(err.startsWith("pulumi-user-groups: ") && !err.includes("\n"), err);
  }
});

function cannotLoad(): string {
  return "failed: pulumi-user-groups/provider can't be loaded from the program's folder, where the engine loads it";
}

/** The findings of the settings, with this one of the API token. */
function withToken(finding: string): Examined["findings"] {
  return { settings: [baseUrlIsSet, finding, ...defaults] };
}

function withTimeoutIn(file: string): Examined["findings"] {
  const found = `ok: user-groups:timeout is set in ${file}`;
  return { settings: [baseUrlIsSet, tokenIsSet, found, ...defaults.slice(1)] };
}

function twoStacks(): Record<string, string> {
  const config = "config:\n  user-groups:timeout: 5\n";
  return { "Pulumi.dev.yaml": config, "Pulumi.prod.yaml": config };
}
