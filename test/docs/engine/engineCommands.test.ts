import assert from "node:assert/strict";
import { succeeds } from "../../engine/harness";
import { launch } from "../../engine/harness/launcher";
import { argumentsOf, commands, programOf } from "../commands";
import { repository } from "../pages";

describe("commands of the engine that the pages print", () => {
  const printed = commands.filter((command) => programOf(command) === "pulumi").map(argumentsOf);
  // Those that differ in an argument only are one command.
  const distinct = new Map(
    printed.map((args) => [args.filter((arg) => /^[a-z-]+$/.test(arg)).join(" "), args]),
  );
  for (const [text, args] of distinct)
    it(`pulumi ${text}`, async () => {
      // With --help the engine parses the flags, and shows how the command is used that it has understood.
      const help = succeeds(await launch([...args, "--help"], { cwd: repository, env: {}, echo: undefined }));
      const usage = /^Usage:\n +pulumi (.*)$/m.exec(help.output)?.[1]?.split(" ") ?? [];
      const aliases = /^Aliases:\n +(.*)$/m.exec(help.output)?.[1]?.split(", ") ?? [];
      const words = usage.slice(
        0,
        usage.findIndex((part) => !isWord(part)),
      );
      const takesMore = usage.some((part) => /^[<[]/.test(part) && !/flags|command/.test(part));
      assert.deepEqual(args.slice(0, words.length - 1), words.slice(0, -1));
      assert([...words.slice(-1), ...aliases].includes(args[words.length - 1] ?? ""), `Not known: ${text}`);
      const isOfFlag = (arg: string, index: number) =>
        arg.startsWith("-") || args[words.length + index - 1]?.startsWith("-");
      assert(takesMore || args.slice(words.length).every(isOfFlag), `Not known: ${text}`);
    });
});

function isWord(part: string): boolean {
  return /^[a-z-]+$/.test(part);
}
