/** The result of one check. Its texts contain no token and no value of a setting. */
export interface Finding {
  /** `unknown`: not checked, or not seen. */
  readonly status: "ok" | "warning" | "failed" | "unknown";
  /** A sentence without its full stop. */
  readonly text: string;
  /** One or more whole sentences. */
  readonly remedy?: string | undefined;
}

export const ok = (text: string): Finding => ({ status: "ok", text });
export const warning = (text: string, remedy: string): Finding => ({ status: "warning", text, remedy });
export const failed = (text: string, remedy: string): Finding => ({ status: "failed", text, remedy });
export const unknown = (text: string, remedy?: string): Finding => ({ status: "unknown", text, remedy });

export function report(findings: readonly Finding[]): string {
  const count = (status: Finding["status"]) => findings.filter((each) => each.status === status).length;
  const failures = count("failed");
  const unknowns = count("unknown");
  const passed = unknowns > 0 ? `no check failed; ${unknowns} unknown` : "ok";
  const verdict = failures > 0 ? `${failures} of ${findings.length} checks failed` : passed;
  return [...findings.flatMap(linesOf), "", `Verdict: ${verdict}.`].join("\n");
}

function linesOf({ status, text, remedy }: Finding): string[] {
  const lines = [`${status.padEnd(9)}${text}.`];
  return remedy === undefined ? lines : [...lines, `${"".padEnd(9)}${remedy}`];
}
