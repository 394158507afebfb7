/** Properties of resources between the gRPC interface and the core. */
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { changedFields } from "../../core/state/group";
import { isObject, providerKey, withoutSecretMarks, type JsonObject } from "../../values";

export function fromStruct(struct: Struct | undefined): JsonObject {
  const plain = withoutSecretMarks(struct?.toJavaScript());
  return isObject(plain) ? plain : {};
}

export function toStruct(properties: JsonObject): Struct {
  return Struct.fromJavaScript(Object.fromEntries(Object.entries(properties).filter(isDefined)));
}

function isDefined(entry: [string, unknown]): entry is [string, JavaScriptValue] {
  return entry[1] !== undefined;
}

export function changedNames(olds: JsonObject, news: JsonObject): string[] {
  return changedFields([...new Set([...Object.keys(olds), ...Object.keys(news)])], olds, news);
}

/** A state. `isOfOtherProvider`: a dynamic resource wrote it, so that it must be rewritten. */
export function recordedState(struct: Struct | undefined) {
  const state = fromStruct(struct);
  return { state, isOfOtherProvider: providerKey in state };
}
