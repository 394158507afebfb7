/** npx --no pulumi-user-groups emulate: the emulator on the command line, whose options it has as flags. */
import { Emulator } from "../testing/emulator";
import { OptionError } from "../testing/optionError";
import { type Options, settingsFrom } from "../testing/options";
import { type Command, type Flags, messageOf, type Terminal, UsageError } from "./command";

export const emulate: Command = {
  summary: "run the user group service on a loopback port",
  usage: "npx --no pulumi-user-groups emulate [options]",

  about: `Runs the user group service on 127.0.0.1, in memory, until it is interrupted. Standard output gets the lines to set
in the shell that runs Pulumi, standard error a line for each request. No line has the token of a group. The signal
SIGUSR2 (not on Windows) replaces the API token, and standard output gets the line with the new one.`,

  /** Each one is an option of the emulator, in kebab case. The last ones are what the service's interface leaves open. */
  options: {
    port: { value: "N", text: "port to listen on (default: 4311; 0: a free one)" },
    token: { value: "T", text: "API token to accept (default: a random one, printed once)" },
    "base-path": { value: "PATH", text: "path before /api/user, such as /tenant/v1 (default: none)" },
    latency: { value: "MS", text: "milliseconds before each response (default: 0)" },
    existing: {
      value: "keep|update",
      text: "what get-or-create does with a group that exists (default: keep)",
    },
    response: { value: "stored|requested", text: "what the response shows (default: stored)" },
    "empty-properties": {
      value: "absent|null",
      text: "how the response shows no properties (default: absent)",
    },
    "delete-needs": {
      value: "FIELDS",
      text:
        "what a DELETE must have, by commas: current_token, user_group_id, data_source_provided_id\n" +
        "(default: current_token,user_group_id)",
    },
    "delete-token-may-be-id": { text: "current_token may be the user_group_id" },
  },

  exitCodes: "0 interrupted, 1 failed, 2 wrong options",

  async run(flags, terminal) {
    const interrupted = terminal.interrupted();
    const settings = settingsOf(flags, terminal);
    // Neither an emulator nor a handler of signals keeps a process alive.
    const alive = setInterval(() => undefined, 2 ** 31 - 1);
    try {
      const emulator = await start(settings);
      terminal.out(`export USER_GROUPS_BASE_URL=${emulator.baseUrl}`);
      if (!flags.has("token")) terminal.out(`export USER_GROUPS_API_TOKEN=${emulator.apiToken}`);
      terminal.err(
        `The user group service is emulated on ${emulator.baseUrl} until it is interrupted (Ctrl-C). ` +
          `To rotate its API token: kill -USR2 ${process.pid}`,
      );
      terminal.onSignal(() => {
        terminal.out(`export USER_GROUPS_API_TOKEN=${emulator.rotateApiToken()}`);
      });
      await interrupted.finally(() => emulator.stop());
    } finally {
      clearInterval(alive);
    }
    return 0;
  },
};

function start(settings: Options): Promise<Emulator> {
  return Emulator.start(settings).catch((error: unknown) => {
    const isUsed = messageOf(error).includes("EADDRINUSE");
    throw isUsed ? new Error(`Port ${settings.port} is in use. Choose another with --port.`) : error;
  });
}

function settingsOf(flags: Flags, terminal: Terminal): Options {
  const settings = [...flags].map(([flag, value]) => [settingOf(flag), parsedFlag(flag, value)]);
  const log: Options["log"] = (entry) => {
    terminal.err(String(entry));
  };
  try {
    return settingsFrom({ port: 4311, ...Object.fromEntries(settings), keepRequests: false, log });
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    const flag = [...flags.keys()].find((name) => settingOf(name) === error.option);
    throw new UsageError(`--${flag}: ${error.reason}`);
  }
}

function settingOf(flag: string): string {
  return flag === "token" ? "apiToken" : flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function parsedFlag(flag: string, text: string): unknown {
  if (flag === "port" || flag === "latency") return /^\d+$/.test(text) ? Number(text) : NaN;
  if (flag === "delete-needs") return text.split(",").filter((field) => field !== "");
  return flag === "delete-token-may-be-id" ? true : text;
}
