import { userGroupArguments } from "../core/arguments";
import { type Command, type Terminal, UsageError } from "./command";
import { checkPackage, checkSdk } from "./doctor/checkPackages";
import { checkService } from "./doctor/checkService";
import { checkSettings } from "./doctor/checkSettings";
import { readProject } from "./doctor/readProject";
import { hasPassed, report, reportAsJson, type Finding, type Result } from "./doctor/report";
import { parseFlags } from "./flags";

export const doctor: Command = {
  summary: "check packages, settings and connection of a program",

  async run(args, terminal) {
    const flags = flagsOf(args);
    if (flags.help) return showHelp(terminal);
    const findings = await examine(flags, terminal.environment);
    for (const line of flags.json ? [reportAsJson(findings)] : report(findings)) terminal.out(line);
    return hasPassed(findings) ? 0 : 1;
  },
};

const help = `Usage: npx pulumi-user-groups doctor [options]

Checks the program in this folder: the packages as the engine finds them, the source of each setting, and the connection
to the service. It prints no token and no value of a setting.

  --folder FOLDER    folder of the program, or one below it (default: this folder)
  --stack STACK      stack whose settings are checked (default: PULUMI_STACK, or the only one with a settings file)
  --connection NAME  service, for programs that use several (default: the one without a name)
  --json             print JSON: { "verdict": "ok" or "failed", "findings": [{ "check", "status", "text", … }] }
  --help             show this help

Exit codes: 0 no check failed (there may be warnings), 1 a check failed, 2 wrong options.`;

type Flags = ReturnType<typeof flagsOf>;

function flagsOf(args: readonly string[]) {
  const { values } = parseFlags({
    args: [...args],
    options: {
      folder: { type: "string" },
      stack: { type: "string" },
      connection: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  return values;
}

function showHelp(terminal: Terminal): number {
  terminal.out(help);
  return 0;
}

async function examine(flags: Flags, environment: Terminal["environment"]): Promise<Finding[]> {
  const connection = connectionOf(flags);
  const stack = flags.stack ?? environment["PULUMI_STACK"];
  const { program, configuration } = readProject(flags.folder ?? process.cwd(), stack);
  const sources = { environment, configuration };
  return [
    ...findings("package", [checkPackage(program)]),
    ...findings("sdk", checkSdk(program)),
    ...findings("settings", checkSettings(sources, connection)),
    ...findings("service", [await checkService(sources, connection)]),
  ];
}

function findings(check: Finding["check"], results: readonly Result[]): Finding[] {
  return results.map((result) => ({ check, ...result }));
}

function connectionOf({ connection }: Flags): string | undefined {
  const issue = userGroupArguments.shape.connection.safeParse(connection).error?.issues[0]?.message;
  if (issue !== undefined) throw new UsageError(`--connection: ${issue}`);
  return connection;
}
