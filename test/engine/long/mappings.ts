/** The mappings of the state, compared with those of the service. */
import { z } from "zod";
import { tokensOf, type Resource, type Result, type Fixture } from "../harness";

/** What an `up` did, and what it left. */
export interface Outcome {
  readonly up: Result;
  /** The service's tokens after it, by userGroupId. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The false mappings in the state after it. */
  readonly wrong: readonly string[];
}

/** Runs `up` with PHASE in the program's environment; one resource that fails stops no other. */
export async function upIn(fixture: Fixture, phase: string, flags: readonly string[] = []): Promise<Outcome> {
  const up = await fixture.stack.up({ env: { PHASE: phase }, flags: ["--continue-on-error", ...flags] });
  return { up, tokens: tokensOf(fixture.emulator), wrong: await falseMappings(fixture) };
}

/** One line for each mapping in the state that isn't the service's, such as `"acme": state {}, service {"sales":1}`. */
async function falseMappings({ stack, emulator }: Fixture): Promise<string[]> {
  const mappings = (await stack.resources()).flatMap(mappingsOf);
  return mappings.flatMap(([userGroupId, mapping]) => {
    const group = emulator.groups.get(userGroupId);
    const [stored, actual] = [textOf(mapping), group ? textOf(group.mapping) : "no group"];
    return stored === actual ? [] : [`${JSON.stringify(userGroupId)}: state ${stored}, service ${actual}`];
  });
}

type StateMapping = readonly [userGroupId: string, mapping: unknown];

function mappingsOf({ type, id = "", outputs }: Resource): StateMapping[] {
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
