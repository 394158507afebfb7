/** The result of one check. Its texts contain no token and no value of a setting. */
export interface Finding {
  readonly check: Check;
  /** `skipped`: the check wasn't possible. Only `failed` makes the verdict `failed`. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** A sentence without its full stop. */
  readonly text: string;
  /** One or more whole sentences. */
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
