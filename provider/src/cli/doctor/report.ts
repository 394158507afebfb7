import type { Finding } from "./finding";

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
  const count = (wanted: Finding["status"]) => findings.filter(({ status }) => status === wanted).length;
  const [bad, warnings, unknown] = [count("failed"), count("warning"), count("skipped")];
  const remarks = [
    ...(warnings > 0 ? [`${warnings} ${warnings > 1 ? "warnings" : "warning"}`] : []),
    ...(unknown > 0 ? [`${unknown} skipped`] : []),
  ];
  const more = remarks.length > 0 ? ` (${remarks.join(", ")})` : "";
  if (bad > 0) return `Verdict: ${bad} of ${findings.length} checks failed${more}.`;
  return `Verdict: ok${more}.`;
}
