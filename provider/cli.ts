#!/usr/bin/env node
/** The command line: npx --no pulumi-user-groups. Finds the command, runs it, and turns its errors into exit codes. */
import "./node/orExit";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { type Command, helpOf, hint, messageOf, parseFlags, type Terminal, UsageError } from "./cli/command";
import { doctor } from "./cli/doctor";
import { emulate } from "./cli/emulate";
import { importFile } from "./cli/importFile";
import { list } from "./cli/list";
import { review } from "./cli/review";
import { tokens } from "./cli/tokens";
import { escaped, escapedLines } from "./text";
import { version } from "./version";

const commands = new Map<string, Command>(
  Object.entries({ doctor, emulate, "import-file": importFile, list, review, tokens }),
);

/** Runs `npx --no pulumi-user-groups <args>`. Exit codes: 0 success, 1 failure, 2 wrong arguments. */
export async function main(args: readonly string[], output: Terminal): Promise<number> {
  const terminal = safeTerminal(output);
  try {
    return await run(args, terminal);
  } catch (error) {
    terminal.err(`pulumi-user-groups: ${messageOf(error)}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Escapes what it prints, and refuses an empty input. */
function safeTerminal(output: Terminal): Terminal {
  return {
    ...output,
    out: (line) => {
      output.out(escapedLines(line));
    },
    err: (line) => {
      output.err(escapedLines(line));
    },
    async readInput(what) {
      if (output.isInputTerminal) output.err(`Reading ${what} from this terminal, until Ctrl-D.`);
      const input = await output.readInput(what);
      if (input.trim() === "") throw new Error(noInput);
      return input;
    },
  };
}

/** Such as `pulumi stack export`, whose own error came first. */
const noInput =
  "Standard input is empty. If the command before the pipe has failed, its own error says why: after an incorrect passphrase, for example, " +
  "set PULUMI_CONFIG_PASSPHRASE.";

async function run([name, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === undefined) throw new UsageError(`no command given; ${hint}`);
  const command = commands.get(name);
  if (command && !args.includes("--help")) return command.run(parseFlags(args, command.options), terminal);
  const shown = command ? helpOf(command) : { "--help": usage(), "--version": version }[name];
  if (shown === undefined)
    throw new UsageError(`unknown ${name.startsWith("-") ? "option" : "command"} ${escaped(name)}; ${hint}`);
  terminal.out(shown);
  return 0;
}

function usage(): string {
  const listed = [...commands].map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);
  return `Usage: npx --no pulumi-user-groups <command> [options]

Commands:
${listed.join("\n")}

Options:
  --help    show this, or after a command its options
  --version show the version`;
}

function pipe(text: string): void {
  if (process.stdout.isTTY) throw new UsageError("this is for another program, so pipe it there");
  process.stdout.write(text);
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError("there is no terminal to ask; set --yes");
  const prompt = createInterface(process.stdin, process.stderr);
  const answer = await prompt.question(question);
  prompt.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** A reader that has ended, or a full disk. Without a listener, Node.js would print a stack. */
function endWithoutReader({ message }: Error): void {
  process.stderr.write(`pulumi-user-groups: standard output can't be written: ${message}\n`);
  process.exit(1);
}

if (require.main === module) {
  process.stdout.on("error", endWithoutReader);
  // An error of standard error can be printed nowhere.
  process.stderr.on("error", () => undefined);
  const terminal: Terminal = {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    pipe,
    interrupted: () => Promise.race(["SIGINT", "SIGTERM", "SIGHUP"].map((name) => once(process, name))),
    onSignal: (listener) => process.on("SIGUSR2", listener),
    confirm,
    readInput: () => text(process.stdin),
    isInputTerminal: process.stdin.isTTY,
    environment: process.env,
  };
  void main(process.argv.slice(2), terminal).then((code) => {
    process.exitCode = code;
  });
}
