import { Emulator } from "../testing/emulator";
import { OptionError, type Options, settingsFrom } from "../testing/options";
import type { RequestLogEntry } from "../testing/requestLog";
import { type Command, parseFlags, type Terminal, UsageError } from "./command";

export const emulate: Command = {
  summary: "run the user group service on a loopback port",

  help: `Usage: npx pulumi-user-groups emulate [options]

Runs the user group service on 127.0.0.1, in memory, until it is interrupted. Standard output gets the lines to set
in the shell that runs Pulumi, standard error a line for each request. No line holds a token of a group.

  --port N                  port to listen on (default: 4311; 0: a free one)
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
  --delete-token-may-be-id  current_token may be the user_group_id`,

  async run(args, terminal) {
    const flags = parseFlags(args, options);
    const interrupted = terminal.interrupted();
    const settings = settingsOf(flags, terminal);
    const emulator = await Emulator.start(settings).catch((error: unknown) => {
      throw portError(error, settings.port);
    });
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

const options = {
  port: { type: "string", default: "4311" },
  token: { type: "string" },
  "base-path": { type: "string" },
  latency: { type: "string" },
  existing: { type: "string" },
  response: { type: "string" },
  "empty-properties": { type: "string" },
  "delete-needs": { type: "string" },
  "delete-token-may-be-id": { type: "boolean" },
} as const;

function settingsOf(flags: ReturnType<typeof parseFlags<typeof options>>, terminal: Terminal): Options {
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

function portError(error: unknown, port: number): unknown {
  const isUsed = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  return isUsed ? new Error(`Port ${port} is in use. Choose another with --port.`) : error;
}
