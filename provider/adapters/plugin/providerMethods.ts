/** The methods of `ResourceProvider` for the provider itself: its start, its settings, its schema and its end. */
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { PluginInfo, type PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { secretSettings } from "../../settings/readSettings";
import { secret, type JsonObject } from "../../values";
import { version } from "../../version";
import { originOf, settingIssues, settingSources, type ProviderArguments } from "./settingSources";
import { changedNames, fromStruct, toStruct } from "./properties";
import schema from "./schema.json";
import { unaryMethod } from "./unaryMethod";

export function providerMethods(
  attach: (engineAddress: string) => void,
  configure: (provider: ProviderArguments) => void,
  cancel: () => void,
) {
  return {
    handshake: unaryMethod((request: proto.ProviderHandshakeRequest) => {
      attach(request.getEngineAddress());
      return new proto.ProviderHandshakeResponse();
    }),
    attach: unaryMethod((request: PluginAttach) => {
      attach(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: unaryMethod(() => new PluginInfo().setVersion(version)),
    getSchema: unaryMethod(() =>
      new proto.GetSchemaResponse().setSchema(JSON.stringify({ ...schema, version })),
    ),
    checkConfig: unaryMethod(checkConfig),
    diffConfig: unaryMethod(diffConfig),
    configure: unaryMethod((request: proto.ConfigureRequest) => {
      configure({ name: request.getName(), args: fromStruct(request.getArgs()) });
      // The engine passes secrets in plain text, and marks outputs of the same names as secrets.
      return new proto.ConfigureResponse().setSupportspreview(true);
    }),
    /** No further request begins. The running operations end, and report what is done. */
    cancel: unaryMethod(() => {
      cancel();
      return new Empty();
    }),
  };
}

/** The failures name no property, because the engine would print its value. */
function checkConfig(request: proto.CheckRequest): proto.CheckResponse {
  const name = request.getUrn().split("::").at(-1);
  const given = fromStruct(request.getNews());
  const origin = originOf({ name, args: given });
  const args = { ...given, ...origin };
  const failures = settingIssues(settingSources({ name, args })).map((reason) =>
    new proto.CheckFailure().setReason(reason),
  );
  const secrets = secretSettings.filter((name) => args[name] != null);
  const marked: JsonObject = {
    ...request.getNews()?.toJavaScript(),
    ...origin,
    ...Object.fromEntries(secrets.map((name) => [name, secret(args[name])])),
  };
  return new proto.CheckResponse().setInputs(toStruct(marked)).setFailuresList(failures);
}

/** Never requests a replacement, which would replace every resource. The core compares the addresses in the states. */
function diffConfig(request: proto.DiffRequest): proto.DiffResponse {
  const changed = changedNames(fromStruct(request.getOldInputs()), fromStruct(request.getNews()));
  const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
  return new proto.DiffResponse()
    .setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setDiffsList(changed);
}
