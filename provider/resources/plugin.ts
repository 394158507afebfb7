/**
 * The two resources of the plugin `user-groups`, and its provider. They have the arguments and outputs of the main entry.
 * Pulumi.yaml must name the plugin (error `plugin-not-found`). Several services in one program are explicit providers.
 * A resource of the main entry with the same name moves to the plugin in one `up`.
 *
 * @module pulumi-user-groups/plugin
 */
import "../node/orError";
import type { ArgumentsOf } from "./commonArguments";
import * as pulumi from "./pulumi";
import { checkProgram, pluginIssue } from "./programChecks";
import { plainInputs } from "./resourceOptions";
import * as userGroup from "./userGroup";
import * as userGroups from "./userGroups";
import type { SettingName } from "../settings/readSettings";

export type { FormerGroup, GroupArgs, GroupOutput, Json, JsonInput } from "./commonArguments";

/** The arguments of {@link UserGroup}. */
export type UserGroupArgs = userGroup.UserGroupArgs;
/** The known values of a group for {@link UserGroup.get}. */
export type UserGroupState = userGroup.UserGroupState;
/** The arguments of {@link UserGroups}. */
export type UserGroupsArgs = userGroups.UserGroupsArgs;

/** The settings of a service. Settings without an argument come from the environment. The API token, the headers and the key are secrets. */
export interface ProviderArgs {
  baseUrl?: pulumi.Input<string> | undefined;
  apiToken?: pulumi.Input<string> | undefined;
  timeout?: pulumi.Input<number> | undefined;
  maxConnections?: pulumi.Input<number> | undefined;
  requestsPerSecond?: pulumi.Input<number> | undefined;
  changes?: pulumi.Input<"replace" | "update"> | undefined;
  formerBaseUrl?: pulumi.Input<string> | undefined;
  headers?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  clientCertificate?: pulumi.Input<string> | undefined;
  clientKey?: pulumi.Input<string> | undefined;
}

/** The settings of one service, for a program that uses several: the option `provider` of its resources. */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    checkProgram(pluginIssue);
    const { apiToken, headers, clientKey, timeout, maxConnections, requestsPerSecond, ...others } = args;
    const texts: Partial<Record<SettingName, pulumi.Input<string> | undefined>> = others;
    // The SDK sends the settings of a provider as text.
    const asText = (value: typeof timeout | typeof headers) => pulumi.output(value).apply(JSON.stringify);
    const numbers = {
      timeout: asText(timeout),
      maxConnections: asText(maxConnections),
      requestsPerSecond: asText(requestsPerSecond),
    };
    const secrets = {
      apiToken: apiToken && pulumi.secret(apiToken),
      headers: headers && pulumi.secret(asText(headers)),
      clientKey: clientKey && pulumi.secret(clientKey),
    };
    super("user-groups", name, { ...texts, ...numbers, ...secrets }, opts);
  }
}

/** One user group of the service: a customer whose embedded dashboards render with the group's token. */
export class UserGroup<Args extends object = UserGroupArgs> extends userGroup.UserGroupResource {
  /** Looks up a group that this resource doesn't manage, in a preview too. A missing group fails (error `no-such-group`). */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: UserGroupState,
    opts?: pulumi.CustomResourceOptions,
  ): UserGroup {
    // A preview doesn't pass values that it doesn't know. With an unknown ID it reads nothing.
    const whenKnown = pulumi.output({ id, state }).apply((known) => known.id);
    return new UserGroup(name, { ...state, userGroupId: id }, { ...opts, id: whenKnown });
  }

  constructor(name: string, args: ArgumentsOf<Args, UserGroupArgs>, opts?: pulumi.CustomResourceOptions) {
    const inputs = pluginInputs(userGroup.userGroupOutputs, args);
    super("user-groups:index:UserGroup", name, inputs, moved("UserGroup", opts), "token");
  }
}

/** Many user groups in one resource: for hundreds of customers and more, because the engine's cost is per resource. */
export class UserGroups<Args extends object = UserGroupsArgs> extends userGroups.UserGroupsResource {
  constructor(name: string, args: ArgumentsOf<Args, UserGroupsArgs>, opts?: pulumi.CustomResourceOptions) {
    const inputs = pluginInputs(userGroups.userGroupsOutputs, args);
    super("user-groups:index:UserGroups", name, inputs, moved("UserGroups", opts), "tokens");
  }
}

function pluginInputs(outputs: Record<string, undefined>, args: object): pulumi.Inputs {
  checkProgram(pluginIssue);
  return plainInputs(outputs, args);
}

/** Options with which a resource takes over the state of the dynamic resource with its name. */
function moved(kind: string, opts: pulumi.CustomResourceOptions = {}): pulumi.CustomResourceOptions {
  return pulumi.mergeOptions(opts, { aliases: [{ type: `pulumi-nodejs:dynamic/user-groups:${kind}` }] });
}
