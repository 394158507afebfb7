/** Which output of the engine shows secrets: that of the list in docs/security.md, and nothing else that a flag of `pulumi up --help` writes. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { newFixture, packageProgram } from "../../support/engine";
import { repository } from "../../support/engine/programs";

const secret = "s3cret-configuration";

/** RUN gives the group a new token. */
const program = packageProgram(`
  const region = new pulumi.Config().requireSecret("region");
  new UserGroup("acme", { userGroupId: "acme", name: "Acme" + process.env.RUN, properties: { region } });
`);

/** The names of the page. A flag gets the path of a file. */
const listed: Readonly<Record<string, (file: string) => { flags?: string[]; env?: Record<string, string> }>> =
  {
    "--json": () => ({ flags: ["--json"] }),
    "--debug": () => ({ flags: ["--debug"] }),
    "--event-log": (file) => ({ flags: [`--event-log=${file}`] }),
    "--otel-traces": (file) => ({ flags: [`--otel-traces=file://${file}`] }),
    "--tracing": (file) => ({ flags: [`--tracing=file:${file}`] }),
    "--verbose": () => ({ flags: ["--verbose=9"] }),
    "--logtostderr": () => ({ flags: ["--verbose=3", "--logtostderr"] }),
    "--logflow": () => ({ flags: ["--verbose=11", "--logflow", "--logtostderr"] }),
    PULUMI_DEBUG_GRPC: (file) => ({ env: { PULUMI_DEBUG_GRPC: file } }),
    NODE_DEBUG: () => ({ env: { NODE_DEBUG: "http" } }),
  };

/** They choose what the engine does, or need a value that fits. */
const actions =
  /^--(attach-debugger|config.*|cwd|exclude.*|expect-no-changes|help|neo|override-env|policy-pack.*|replace|secrets-provider|show-secrets|stack|strict|target.*)$/;

const quietVariables = { GRPC_TRACE: "all", GRPC_VERBOSITY: "DEBUG", DEBUG: "*", PULUMI_DEV: "true" };

describe("an output of the engine shows secrets", () => {
  const fixture = newFixture(() => ({ program, config: { "tests:region": { secret } } }));
  let runs = 0;

  /** Whether an update shows a secret in its output or in a file. */
  async function isShown(flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    const { emulator, stack } = fixture;
    runs += 1;
    const RUN = String(runs);
    const command = ["up", "--yes", "--skip-preview", "--stack", "dev", ...flags];
    // Logs go to the folder for temporary files.
    const ended = await stack.run(command, { env: { ...env, RUN, TMPDIR: folder() }, isPlain: true });
    assert.equal(ended.code, 0, flags.join(" "));
    const names = await fs.readdir(folder(), { recursive: true, withFileTypes: true });
    const files = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
    const texts = await Promise.all(files.map((file) => fs.readFile(file, "latin1")));
    const tokens = [...emulator.groups.values()].map(({ token }) => token);
    const secrets = [secret, emulator.apiToken, ...tokens];
    await fs.rm(folder(), { recursive: true });
    await fs.mkdir(folder());
    return secrets.some((each) => [ended.output, ...texts].some((text) => text.includes(each)));
  }

  const folder = () => join(fixture.stack.folder, "../output");
  before(() => fs.mkdir(folder()));

  for (const [name, trial] of Object.entries(listed))
    it(`with ${name}, as the page says`, async () => {
      const { flags, env } = trial(join(folder(), "file"));
      assert(await isShown(flags, env));
      const page = await fs.readFile(join(repository, "docs/security.md"), "utf8");
      const section = page.split("\n## ").find((part) => part.startsWith("Debug output"));
      assert(section?.includes(`\`${name}`));
    });

  it("with no other flag of pulumi up --help", async () => {
    const { stdout } = await fixture.stack.run(["up", "--help"]);
    const flags = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)(?: ([a-z]\w*:?) )?/gm)];
    assert(flags.length > 40, stdout);
    const others = flags.filter(([, name = ""]) => !(name in listed) && !actions.test(name));
    const given = others.map(([, name = "", type]) => {
      if (type === undefined) return name;
      return `${name}=${type.startsWith("int") ? "1" : join(folder(), "file")}`;
    });
    const values = given.map((flag) => (flag.startsWith("--color") ? "--color=never" : flag));
    console.log(
      `      searched: ${[...Object.keys(listed), ...values.map((flag) => flag.replace(/=.*/, ""))].join(" ")}`,
    );
    assert(!(await isShown(values, quietVariables)));
  });
});
