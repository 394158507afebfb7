/** The resources of a program, as it passes them to the engine. */
import type { Declared } from "../model/resources";
import type { GroupArgs } from "./groupValues";
import { isMany, type Resource } from "./steps";

/** A group as the program declares it. */
export interface DeclaredGroup {
  readonly resource: Resource;
  readonly userGroupId: string;
  readonly args: GroupArgs;
}

/** What a program says of a resource beside its groups. */
interface Options {
  readonly adopts: boolean;
  /** `retainOnDelete` */
  readonly isRetained: boolean;
  /** Whether it names a connection. */
  readonly isConnected: boolean;
}

export function oneGroup(
  name: string,
  { userGroupId, args }: Omit<DeclaredGroup, "resource">,
  options: Options,
): Declared {
  return {
    name,
    provider: "userGroup",
    args: { userGroupId, ...args, ...sharedArgs(options) },
    retainOnDelete: options.isRetained,
  };
}

export function manyGroups(name: string, many: readonly DeclaredGroup[], options: Options): Declared {
  const groups = Object.fromEntries(many.map(({ userGroupId, args }) => [userGroupId, args]));
  return {
    name,
    provider: "userGroups",
    args: { groups, ...sharedArgs(options) },
    retainOnDelete: options.isRetained,
  };
}

/** Another resource with a group that is declared already. */
export function again(group: DeclaredGroup, options: Options): Declared {
  const name = `${group.resource}-again`;
  return isMany(group.resource) ? manyGroups(name, [group], options) : oneGroup(name, group, options);
}

/** `UserGroup.get`, with a name only. */
export function lookup(userGroupId: string): Declared {
  const args = { userGroupId, name: "Alpha" };
  return { name: `lookup-${userGroupId}`, provider: "userGroup", args, isLookup: true };
}

function sharedArgs({ adopts, isConnected }: Options): object {
  return { ...(!adopts && { adopt: false }), ...(isConnected && { connection: "main" }) };
}
