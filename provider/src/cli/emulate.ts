import { Emulator } from "../testing/emulator";
import { OptionError, type Settings, settingsFrom } from "../testing/options";
import type { RequestLogEntry } from "../testing/requestLog";
import { type Command, type Terminal, UsageError } from "./command";
import { parseFlags } from "./flags";

export const emulate: Command = {
  summary: "run the user group service on a loopback port",

  async run(args, terminal) {
    const flags = flagsOf(args);
    if (flags.help) return showHelp(terminal);
    const interrupted = terminal.interrupted();
    const emulator = await Emulator.start(settingsOf(flags, terminal));
    terminal.out(`export USER_GROUPS_BASE_URL=${emulator.baseUrl}`);
    if (flags.token === undefined) terminal.out(`export USER_GROUPS_API_TOKEN=${emulator.apiToken}`);
    terminal.err(
      `The user group service is emulated on ${emulator.baseUrl} until it is interrupted (Ctrl-C).`,
    );
    try {
      await interrupted;
    } finally {
      await emulator.stop();
    }
    return 0;
  },
};

const help = `Usage: npx pulumi-user-groups emulate [options]

Runs the user group service on 127.0.0.1, in memory, until it is interrupted. Standard output gets the lines to set
in the shell that runs Pulumi, standard error a line for each request. No line holds a token of a group.

  --port N                  port to listen on (default: a free one)
  --token T                 API token to accept (default: a random one, printed once)
  --base-path PATH          path before /api/user, such as /tenant/v1 (default: none)
  --latency MS              milliseconds before each response (default: 0)
  --help                    show this

What the service's interface leaves open:
  --existing keep|update    get-or-create of a group that exists (default: keep)
  --response stored|requested
                            what the response shows (default: stored)
  --empty-properties absent|null
                            how the response shows no properties (default: absent)
  --delete-needs FIELDS     what a DELETE must carry, by commas: current_token, user_group_id,
                            data_source_provided_id (default: current_token,user_group_id)
  --delete-token-may-be-id  current_token may be the user_group_id`;

function flagsOf(args: readonly string[]) {
  const { values } = parseFlags({
    args: [...args],
    options: {
      port: { type: "string" },
      token: { type: "string" },
      "base-path": { type: "string" },
      latency: { type: "string" },
      existing: { type: "string" },
      response: { type: "string" },
      "empty-properties": { type: "string" },
      "delete-needs": { type: "string" },
      "delete-token-may-be-id": { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  return values;
}

function showHelp(terminal: Terminal): number {
  terminal.out(help);
  return 0;
}

function settingsOf(flags: ReturnType<typeof flagsOf>, terminal: Terminal): Settings {
  try {
    return settingsFrom({
      port: numberOf(flags.port),
      apiToken: flags.token,
      basePath: flags["base-path"],
      latency: numberOf(flags.latency),
      existing: flags.existing,
      response: flags.response,
      emptyProperties: flags["empty-properties"],
      deleteNeeds: flags["delete-needs"]?.split(",").filter((field) => field !== ""),
      deleteTokenMayBeId: flags["delete-token-may-be-id"],
      keepRequests: false,
      log: (entry: RequestLogEntry) => {
        terminal.err(String(entry));
      },
    });
  } catch (error) {
    if (error instanceof OptionError) throw new UsageError(`--${flagFor(error.option)}: ${error.reason}`);
    throw error;
  }
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : NaN;
}

function flagFor(option: string): string {
  return option === "apiToken" ? "token" : option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
