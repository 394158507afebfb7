/** Two services behind four connections, each with its settings from another source, and one without a name. */
import { startEmulator, type Emulator } from "../../provider/src/testing";
import { succeeds, type Stack, type StackOptions } from "./harness";

export interface Services {
  /** The one that the settings without a connection lead to. */
  readonly unnamed: Emulator;
  readonly eu: Emulator;
  readonly us: Emulator;
}

export async function startServices(): Promise<Services> {
  return { unnamed: await startEmulator(), eu: await startEmulator(), us: await startEmulator() };
}

export function stackOptions({ unnamed, eu, us }: Services): StackOptions {
  return {
    program: program({}),
    emulator: unnamed,
    services: [eu, us],
    env: {
      USER_GROUPS_ENVIRONMENT_BASE_URL: eu.baseUrl,
      USER_GROUPS_ENVIRONMENT_API_TOKEN: eu.apiToken,
      USER_GROUPS_OBJECT_API_TOKEN: us.apiToken,
    },
    config: {
      "user-groups:keys.baseUrl": eu.baseUrl,
      "user-groups:keys.apiToken": { secret: eu.apiToken },
    },
  };
}

export async function setObjects(stack: Stack, { us }: Services): Promise<void> {
  const set = async (...args: string[]) =>
    succeeds(await stack.run(["config", "set", "--stack", "dev", "--path", ...args]));
  await set("user-groups:object.baseUrl", us.baseUrl);
  await set("user-groups:object.timeout", "30");
  await set("user-groups:sealed.baseUrl", us.baseUrl);
  await set("--secret", "user-groups:sealed.apiToken", us.apiToken);
}

export function clearRequests(services: Services): void {
  for (const service of [services.unnamed, services.eu, services.us]) service.clearRequests();
}

/** The connection of each resource whose connection changes. */
export function program({ environment = "environment", sealed = "sealed", many = "object" }): string {
  return `
    const { UserGroup, UserGroups } = require("pulumi-user-groups");
    const group = (userGroupId, connection) =>
      new UserGroup(userGroupId, { userGroupId, name: userGroupId, connection }).token;
    const { tokens } = new UserGroups("many", { groups: { many: { name: "Many" } }, connection: "${many}" });
    exports.tokens = {
      "by-environment": group("by-environment", "${environment}"),
      "by-keys": group("by-keys", "keys"),
      "by-object": group("by-object", "object"),
      "by-sealed": group("by-sealed", "${sealed}"),
      many: tokens.many,
    };
  `;
}

export const faulty = `
  group("refused", "object");
  group("unset", "ap-2");
`;
