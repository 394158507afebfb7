/** The user groups in a state, whichever resource holds them. */
import { z } from "zod";
import type { Emulator } from "../../provider/src/testing";
import type { ResourceState } from "./resources";

export interface GroupState {
  readonly userGroupId: string;
  readonly name: string;
  readonly mapping: unknown;
  readonly properties: unknown;
  readonly keepers: unknown;
  readonly token: string;
}

/** The groups that the resources manage. */
export function groupsIn(resources: readonly ResourceState[]): GroupState[] {
  return resources
    .filter(({ status, isExternal }) => status !== "pending replacement" && !isExternal)
    .flatMap(groupsOf);
}

/** The groups of one resource, whatever its status. */
export function groupsOf({ provider, id, outputs }: ResourceState): GroupState[] {
  if (provider === "userGroup") return [stateOf(id, one.parse(outputs))];
  const { groups, tokens } = many.parse(outputs);
  return Object.entries(groups).map(([userGroupId, group]) =>
    stateOf(userGroupId, { ...group, token: z.string().parse(tokens[userGroupId]) }),
  );
}

/** The groups of a service, in the same shape. */
export function groupsInService({ groups }: Pick<Emulator, "groups">): GroupState[] {
  return [...groups.values()].map((group) => stateOf(group.userGroupId, group));
}

function stateOf(userGroupId: string, group: z.input<typeof one>): GroupState {
  const { name, mapping, properties, keepers, token } = group;
  return { userGroupId, name, mapping, properties, keepers, token };
}

const group = z.object({
  name: z.string(),
  mapping: z.unknown().optional(),
  properties: z.unknown().optional(),
  keepers: z.unknown().optional(),
});
const one = group.extend({ token: z.string() });
const many = z.object({ groups: z.record(z.string(), group), tokens: z.record(z.string(), z.string()) });
