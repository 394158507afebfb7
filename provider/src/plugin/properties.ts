/** Properties between the engine's protocol buffers and the core. */
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { UserGroupError } from "../errors";
import { isObject, providerKey, withoutSecretMarks, type JsonObject } from "../values";

/** Properties in plain text. An absent message has none. */
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

/** A state that the engine passes, which a dynamic resource may have written. */
export interface RecordedState {
  readonly state: JsonObject;
  /** Whether a dynamic resource wrote it, so that it must be rewritten. */
  readonly isForeign: boolean;
}

/**
 * Leaves out the connection of a dynamic resource: with the plugin, explicit providers choose the service, and the
 * address in the state must be theirs. Error: state-invalid, for a connection without an address (version 0.1.0).
 */
export function recordedState(struct: Struct | undefined): RecordedState {
  const { connection, ...state } = fromStruct(struct);
  if (typeof connection === "string" && state["baseUrl"] == null)
    throw new UserGroupError(
      "state-invalid",
      `The state has the connection "${connection}" without the address of its service, so the plugin can't use it. Run ` +
        "pulumi refresh with the former program and pulumi-user-groups 0.2 or newer, which records the address.",
    );
  return { state, isForeign: providerKey in state || connection != null };
}
