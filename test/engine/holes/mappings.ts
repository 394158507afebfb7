/** The mappings that the state claims, against those that the service has. */
import { z } from "zod";
import { tokensOf, type Resource, type Result, type World } from "../harness";

/** What an `up` did, and what it left. */
export interface Outcome {
  readonly up: Result;
  /** The service's tokens after it, by userGroupId. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The false mappings in the state after it. */
  readonly wrong: readonly string[];
}

/** Runs `up` with PHASE in the program's environment; one resource that fails stops no other. */
export async function upIn(world: World, phase: string, flags: readonly string[] = []): Promise<Outcome> {
  const up = await world.stack.up({ env: { PHASE: phase }, flags: ["--continue-on-error", ...flags] });
  return { up, tokens: tokensOf(world.emulator), wrong: await falseMappings(world) };
}

/** One line for each mapping in the state that isn't the service's, such as `"acme": state {}, service {"sales":1}`. */
async function falseMappings({ stack, emulator }: World): Promise<string[]> {
  const claims = (await stack.resources()).flatMap(claimsOf);
  return claims.flatMap(([userGroupId, mapping]) => {
    const group = emulator.groups.get(userGroupId);
    const [claimed, actual] = [textOf(mapping), group ? textOf(group.mapping) : "no group"];
    return claimed === actual ? [] : [`${JSON.stringify(userGroupId)}: state ${claimed}, service ${actual}`];
  });
}

type Claim = readonly [userGroupId: string, mapping: unknown];

function claimsOf({ type, id = "", outputs }: Resource): Claim[] {
  if (type.endsWith(":UserGroup")) return [[id, outputs["mapping"]]];
  if (!type.endsWith(":UserGroups")) return [];
  return Object.entries(groups.parse(outputs["groups"])).map(([userGroupId, { mapping }]) => [
    userGroupId,
    mapping,
  ]);
}

const groups = z.record(z.string(), z.object({ mapping: z.unknown().optional() }));

/** No mapping is as good as an empty one. */
function textOf(mapping: unknown): string {
  return JSON.stringify(mapping ?? {});
}
