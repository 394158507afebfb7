import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./command";

/** `parseArgs` of node:util, strict. Throws a `UsageError` of one sentence. */
export function parseFlags<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's later sentences explain how to pass a positional that starts with a dash, which no command takes.
    const reason = error instanceof Error ? firstSentence(error.message) : String(error);
    throw new UsageError(`${reason}; ${hint}`);
  }
}

export const hint = "see npx pulumi-user-groups --help";

function firstSentence(text: string): string {
  return text.split(/\.\s|\n/, 1).join("");
}
