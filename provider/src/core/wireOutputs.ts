/** A state as the engine takes it. */
import { isObject, secret, type JsonObject } from "../values";
import { secretOutputs } from "./lifecycle";

/**
 * Outputs for the engine. Secrets are marked as such: the option `additionalSecretOutputs` alone would be lost where a
 * stack transformation replaces the options.
 */
export function wireOutputs(state: JsonObject): JsonObject {
  const outputs = defined(state);
  for (const name of secretOutputs) {
    const value = outputs[name];
    if (value !== undefined) outputs[name] = secret(value);
  }
  return outputs;
}

/** Without undefined at any depth, which can't be sent. */
export function defined(value: JsonObject): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isObject(copy) ? copy : {};
}
