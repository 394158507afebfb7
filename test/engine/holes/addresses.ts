/** Programs, settings and states of the tests in which a service's address changes. */
import { join } from "node:path";
import { z } from "zod";
import type { Emulator } from "../../../provider/src/testing";
import { succeeds, type Environment, type Resource, type Stack } from "../harness";

/** A `UserGroup` "single" and a `UserGroups` "many". TENANT is the name of their groups. */
export const bothResources = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");

  const { TENANT: name = "Tenant", CONNECTION: connection } = process.env;
  const single = new UserGroup("single", { userGroupId: "single", name, connection });
  const groups = { first: { name }, second: { name } };
  const many = new UserGroups("many", { groups, connection });
  exports.baseUrls = [single.baseUrl, many.baseUrl];
`;

export function settingsOf({ baseUrl, apiToken }: Emulator): Environment {
  return { USER_GROUPS_BASE_URL: baseUrl, USER_GROUPS_API_TOKEN: apiToken };
}

/** The same address in upper case, with a slash at its end. */
export function oddSpelling({ baseUrl }: Emulator): string {
  return `${baseUrl.replace("127.0.0.1", "LOCALHOST")}/`;
}

/** That address as the state records it. */
export function normalized({ baseUrl }: Emulator): string {
  return baseUrl.replace("127.0.0.1", "localhost");
}

/** Keeps the state as it is now; the function returned restores it. */
export async function saveState(stack: Stack): Promise<() => Promise<void>> {
  const file = join(stack.folder, "saved-state.json");
  succeeds(await stack.run(["stack", "export", "--stack", "dev", "--file", file]));
  return async () => {
    succeeds(await stack.run(["stack", "import", "--stack", "dev", "--file", file]));
  };
}

/** The inputs and outputs of each resource, by its URN. Secrets are in plain text, since each encryption differs. */
export async function plainResources(stack: Stack): Promise<Readonly<Record<string, unknown>>> {
  const { resources } = plainState.parse(await stack.plainState()).deployment;
  return Object.fromEntries(resources.map(({ urn, ...values }) => [urn, values]));
}

const plainState = z.object({
  deployment: z.object({
    resources: z.array(
      z.object({ urn: z.string(), inputs: z.unknown().optional(), outputs: z.unknown().optional() }),
    ),
  }),
});

/** The address in the outputs of each `UserGroup` and `UserGroups`, by the resource's name. */
export function baseUrlsOf(resources: readonly Resource[]): Record<string, unknown> {
  const groups = resources.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/user-groups:"));
  return Object.fromEntries(groups.map(({ name, outputs }) => [name, outputs["baseUrl"]]));
}
