/** A state in the form that the engine expects. */
import { isObject, secret, type JsonObject } from "../values";

/** The outputs that are always secret. `shown` and `sent` may hold secret properties. */
export const secretOutputs = ["token", "tokens", "shown", "sent"];

/**
 * Marks secret outputs. The option `additionalSecretOutputs` isn't enough, because a stack transformation can replace the
 * options.
 */
export function wireOutputs(state: JsonObject): JsonObject {
  const outputs = defined(state);
  for (const name of secretOutputs) {
    const value = outputs[name];
    if (value !== undefined) outputs[name] = secret(value);
  }
  return outputs;
}

/** Removes undefined at any depth, because it can't be sent. */
export function defined(value: JsonObject): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isObject(copy) ? copy : {};
}
