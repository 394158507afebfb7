/** The result of one check. Its texts contain no token and no value of a setting. */
export interface Result {
  /** `unknown`: not checked, or not seen. */
  readonly status: "ok" | "warning" | "failed" | "unknown";
  /** A sentence without its full stop. */
  readonly text: string;
  /** One or more whole sentences. */
  readonly remedy?: string;
}

export interface Finding extends Result {
  readonly check: "settings" | "service";
}

/** Lines for a terminal. The verdict is the last one. */
export function report(findings: readonly Finding[]): string[] {
  return [...findings.flatMap(linesOf), "", verdict(findings)];
}

/** The same findings as JSON. */
export function reportAsJson(findings: readonly Finding[]): string {
  return JSON.stringify({ verdict: verdictOf(findings), findings }, undefined, 2);
}

export function hasPassed(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status !== "failed");
}

function linesOf({ status, text, remedy }: Finding): string[] {
  const lines = [`${status.padEnd(column)}${text}.`];
  return remedy === undefined ? lines : [...lines, `${"".padEnd(column)}${remedy}`];
}

const column = "warning".length + 2;

/** `unknown`: no check failed, and some weren't possible. */
function verdictOf(findings: readonly Finding[]): "ok" | "failed" | "unknown" {
  if (!hasPassed(findings)) return "failed";
  return findings.some(({ status }) => status === "unknown") ? "unknown" : "ok";
}

function verdict(findings: readonly Finding[]): string {
  const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
  if (count("failed") > 0) return `Verdict: ${count("failed")} of ${findings.length} checks failed.`;
  return count("unknown") > 0 ? `Verdict: no check failed; ${count("unknown")} unknown.` : "Verdict: ok.";
}
