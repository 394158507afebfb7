/** The result of one check. Its texts contain no token and no value of a setting. */
export interface Finding {
  /** `unknown`: it was asked for, and couldn't be found out. */
  readonly status: "ok" | "warning" | "failed" | "unknown";
  /** A sentence. Its full stop may be missing. */
  readonly text: string;
  /** One or more whole sentences. */
  readonly remedy?: string | undefined;
}

export const ok = (text: string): Finding => ({ status: "ok", text });
export const warning = (text: string, remedy: string): Finding => ({ status: "warning", text, remedy });
export const failed = (text: string, remedy?: string): Finding => ({ status: "failed", text, remedy });
export const unknown = (text: string, remedy?: string): Finding => ({ status: "unknown", text, remedy });

export function verdictOf(findings: readonly Finding[]): string {
  const count = (status: Finding["status"]) => findings.filter((each) => each.status === status).length;
  if (count("failed") > 0) return `${count("failed")} of ${findings.length} checks failed`;
  return count("unknown") > 0 ? `no check failed; ${count("unknown")} unknown` : "ok";
}

/** `note`: what follows the verdict. */
export function report(findings: readonly Finding[], note: string): string {
  const lines = findings.flatMap(({ status, text, remedy }) => {
    const line = status.padEnd(9) + text.replace(/\.?$/, ".");
    return remedy === undefined ? line : [line, `${"".padEnd(9)}${remedy}`];
  });
  return [...lines, "", `Verdict: ${verdictOf(findings)}.${note}`].join("\n");
}
