/** The log of a process that has no log of the engine: a line for each message, without anything that a terminal acts on. */
import type { Logger } from "../core/deployment/context";
import { escapedLines } from "../text";

export function lineLogger(write: (text: string) => void): Logger {
  return {
    info: (line) => {
      write(`${escapedLines(line)}\n`);
    },
    warn: (line) => {
      write(`${escapedLines(`warning: ${line}`)}\n`);
    },
  };
}
