/** The user groups that a state records, whichever resource records them. */
import { z } from "zod";
import type { Emulator } from "../../../provider/src/testing";
import type { Recorded } from "./records";

export interface HeldGroup {
  readonly userGroupId: string;
  readonly name: string;
  readonly mapping: unknown;
  readonly properties: unknown;
  readonly token: string;
}

export function groupsIn(records: readonly Recorded[]): HeldGroup[] {
  return records.filter(({ standing }) => standing !== "deleted").flatMap(groupsOf);
}

function groupsOf({ provider, id, outputs }: Recorded): HeldGroup[] {
  if (provider === "userGroup") return [asHeld(id, one.parse(outputs))];
  const { groups, tokens } = many.parse(outputs);
  return Object.entries(groups).map(([userGroupId, group]) =>
    asHeld(userGroupId, { ...group, token: z.string().parse(tokens[userGroupId]) }),
  );
}

/** What a service holds, in the same shape. */
export function groupsHeldBy({ groups }: Pick<Emulator, "groups">): HeldGroup[] {
  return [...groups.values()].map((group) => asHeld(group.userGroupId, group));
}

function asHeld(
  userGroupId: string,
  group: { name: string; mapping?: unknown; properties?: unknown; token: string },
): HeldGroup {
  const { name, mapping, properties, token } = group;
  return { userGroupId, name, mapping, properties, token };
}

const group = z.object({
  name: z.string(),
  mapping: z.unknown().optional(),
  properties: z.unknown().optional(),
});
const one = group.extend({ token: z.string() });
const many = z.object({ groups: z.record(z.string(), group), tokens: z.record(z.string(), z.string()) });
