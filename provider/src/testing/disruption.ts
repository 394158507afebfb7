import type { Delivery, Manner } from "./delivery";
import type { Fault, RawFault, StatusFault } from "./faults";
import { isJsonObject } from "./jsonObject";
import type { Outcome } from "./operations";

/** Whether a request that this fault hits still has its effect. */
export function isCarriedOut(fault: Fault): boolean {
  switch (fault.kind) {
    case "refuse":
    case "redirect":
      return false;
    case "status":
      return fault.when === "after";
    case "loseAnswer":
    case "hang":
    case "notJson":
    case "raw":
    case "huge":
      return fault.when !== "before";
    default:
      return true;
  }
}

/** The answer of a healthy service. */
export function usualDelivery(outcome: Outcome, delay: number): Delivery {
  return { ...json(outcome.status, outcome.answer), delay };
}

/** The answer that a fault makes of an outcome; `another` finds the group of a `wrongGroup`. */
export function disrupted(fault: Fault, outcome: Outcome, delay: number, another: () => object): Delivery {
  const usual = usualDelivery(outcome, delay);
  const { status, answer } = outcome;
  switch (fault.kind) {
    case "status":
      return { ...usual, ...plain(fault) };
    case "refuse":
      return { ...usual, ...json(fault.status ?? 200, { success: 0 }) };
    case "loseAnswer":
      return { ...usual, manner: { how: "drop" } };
    case "cutOff":
      return { ...usual, manner: { how: "half" } };
    case "hang":
      return { ...usual, manner: { how: "silence" } };
    case "slow":
      return { ...usual, delay: delay + fault.ms };
    case "drip":
      return { ...usual, manner: { how: "drip", ms: fault.ms } };
    case "notJson":
      return { ...usual, ...text(200, "text/html", "<!doctype html><title>Welcome</title>\n") };
    case "raw":
      return { ...usual, ...verbatim(fault, usual) };
    case "field":
      return { ...usual, ...json(status, withField(answer, fault.field.split("."), fault.value)) };
    case "huge":
      return { ...usual, manner: { how: "padded", bytes: fault.bytes } };
    case "redirect":
      return {
        ...usual,
        ...text(fault.status ?? 302, "text/plain", ""),
        headers: { location: fault.location },
      };
    case "stripBody":
      return usual;
    case "wrongGroup":
      return "user_group" in answer
        ? { ...usual, ...json(status, { ...answer, user_group: another() }) }
        : usual;
  }
}

type Content = Omit<Delivery, "delay">;

const whole: Manner = { how: "whole" };

function json(status: number, answer: unknown): Content {
  return text(status, "application/json", JSON.stringify(answer));
}

function text(status: number, contentType: string, body: string): Content {
  return { status, headers: { "content-type": contentType }, body: Buffer.from(body), manner: whole };
}

function plain(fault: StatusFault): Content {
  const content = fault.success0
    ? json(fault.status, { success: 0 })
    : text(fault.status, fault.contentType ?? "text/plain", fault.body ?? "");
  if (fault.retryAfter === undefined) return content;
  return { ...content, headers: { ...content.headers, "retry-after": String(fault.retryAfter) } };
}

function verbatim(fault: RawFault, usual: Delivery): Content {
  const body = typeof fault.body === "function" ? fault.body(usual.body.toString()) : (fault.body ?? "");
  return {
    status: fault.status ?? 200,
    headers: { "content-type": "application/json", ...fault.headers },
    body: Buffer.from(body),
    manner: whole,
  };
}

/** A copy with one field set; JSON leaves out a field that is undefined. A path that leads nowhere changes nothing. */
function withField(answer: unknown, path: readonly string[], value: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (!isJsonObject(answer)) return answer;
  return { ...answer, [head]: withField(answer[head], rest, value) };
}
