/** The result of one check. Its texts contain no token and no value of a setting. */
export interface Finding {
  readonly check: "settings" | "service";
  /** `unknown`: not checked, or not seen. */
  readonly status: "ok" | "warning" | "failed" | "unknown";
  /** A sentence without its full stop. */
  readonly text: string;
  /** One or more whole sentences. */
  readonly remedy?: string;
}

/** Creates a finding of one check. */
export function findingOf(check: Finding["check"]) {
  return (status: Finding["status"], text: string, remedy?: string): Finding => ({
    ...{ check, status, text },
    ...(remedy !== undefined && { remedy }),
  });
}

/** Lines for a terminal, or JSON. */
export function report(findings: readonly Finding[], isJson: boolean): string {
  const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
  const [failed, unknown] = [count("failed"), count("unknown")];
  const verdict = failed > 0 ? "failed" : unknown > 0 ? "unknown" : "ok";
  if (isJson) return JSON.stringify({ verdict, findings }, undefined, 2);
  const texts = {
    failed: `${failed} of ${findings.length} checks failed`,
    unknown: `no check failed; ${unknown} unknown`,
    ok: "ok",
  };
  return [...findings.flatMap(linesOf), "", `Verdict: ${texts[verdict]}.`].join("\n");
}

function linesOf({ status, text, remedy }: Finding): string[] {
  const lines = [`${status.padEnd(9)}${text}.`];
  return remedy === undefined ? lines : [...lines, `${"".padEnd(9)}${remedy}`];
}
