/** The result of one check. Its texts contain no token and no value of a setting. */
export interface Result {
  /** `skipped`: the check wasn't possible. Only `failed` makes the verdict `failed`. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** A sentence without its full stop. */
  readonly text: string;
  /** One or more whole sentences. */
  readonly remedy?: string;
}

export interface Finding extends Result {
  readonly check: "package" | "sdk" | "settings" | "service";
}

/** Lines for a terminal. The verdict is the last one. */
export function report(findings: readonly Finding[]): string[] {
  return [...findings.flatMap(linesOf), "", verdict(findings)];
}

/** The same findings as JSON. */
export function reportAsJson(findings: readonly Finding[]): string {
  return JSON.stringify({ verdict: hasPassed(findings) ? "ok" : "failed", findings }, undefined, 2);
}

export function hasPassed(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status !== "failed");
}

function linesOf({ status, text, remedy }: Finding): string[] {
  const lines = [`${status.padEnd(column)}${text}.`];
  return remedy === undefined ? lines : [...lines, `${"".padEnd(column)}${remedy}`];
}

const column = "warning".length + 2;

function verdict(findings: readonly Finding[]): string {
  const failed = findings.filter(({ status }) => status === "failed");
  return failed.length > 0
    ? `Verdict: ${failed.length} of ${findings.length} checks failed.`
    : "Verdict: ok.";
}
