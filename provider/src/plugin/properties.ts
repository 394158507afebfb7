/** Properties of resources between the gRPC interface and the core. */
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { changedFields } from "../core/state/group";
import { UserGroupError } from "../errors";
import { isObject, providerKey, withoutSecretMarks, type JsonObject } from "../values";

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

/**
 * A state, without the connection of a dynamic resource: with the plugin, explicit providers choose the service, and the state
 * must have their address. `isForeign`: a dynamic resource wrote it, so that it must be rewritten. Error: state-invalid.
 */
export function recordedState(struct: Struct | undefined) {
  const { connection, ...state } = fromStruct(struct);
  if (typeof connection === "string" && state["baseUrl"] == null)
    throw new UserGroupError(
      "state-invalid",
      `The state has the connection "${connection}" without the address of its service, so the plugin can't use it. Run ` +
        "pulumi refresh with the former program and pulumi-user-groups 0.2 or newer, which records the address.",
    );
  return { state, isForeign: providerKey in state || connection != null };
}
