/** What one check found. No text of it holds the value of a setting or a token. */
export interface Finding {
  readonly check: Check;
  /** `skipped`: it couldn't be told. Only `failed` makes the verdict bad. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** What was found: a sentence without its full stop. */
  readonly text: string;
  /** What to do about it, in whole sentences. */
  readonly remedy?: string;
}

export type Check = "node" | "sdk" | "package" | "stack" | "settings" | "service";

export function ok(check: Check, text: string): Finding {
  return { check, status: "ok", text };
}

export function warning(check: Check, text: string, remedy: string): Finding {
  return { check, status: "warning", text, remedy };
}

export function failed(check: Check, text: string, remedy: string): Finding {
  return { check, status: "failed", text, remedy };
}

export function skipped(check: Check, text: string, remedy: string): Finding {
  return { check, status: "skipped", text, remedy };
}
