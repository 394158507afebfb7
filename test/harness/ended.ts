import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";

export interface Ended {
  /** The exit code; null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order of arrival. */
  readonly output: string;
}

interface PipedProcess extends ChildProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Waits for the end of a process and of its output. Rejects if it couldn't be started. */
export async function ended(child: Pick<PipedProcess, "stdout" | "stderr" | "once">): Promise<Ended> {
  const texts = { stdout: "", stderr: "", output: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      texts.output += text;
    });
  const code = await new Promise<number | null>((done, failed) => {
    child.once("error", failed).once("close", done);
  });
  return { code, ...texts };
}
