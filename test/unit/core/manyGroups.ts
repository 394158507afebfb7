import { z } from "zod";
import type { Emulator } from "../../../provider/src/testing";
import { userGroups } from "../../../provider/src/provider";
import { userGroupsRecord, type UserGroupsRecord } from "../../../provider/src/schema";

/** What the engine passes and records beside the arguments. */
const provided = { __provider: "text of the provider" };

export async function create(args: object): Promise<UserGroupsRecord> {
  const { outs } = await userGroups.create({ ...args, ...provided });
  return userGroupsRecord.strict().parse(outs);
}

export async function update(record: object, args: object): Promise<UserGroupsRecord> {
  const { outs } = await userGroups.update(
    "user-groups",
    { ...record, ...provided },
    { ...args, ...provided },
  );
  return userGroupsRecord.strict().parse(outs);
}

/** What a refresh records as outputs, and as inputs. */
export async function read(record: object): Promise<{ outputs: UserGroupsRecord; inputs: unknown }> {
  const { props, inputs } = await userGroups.read("user-groups", { ...record, ...provided });
  return { outputs: userGroupsRecord.strict().parse(props), inputs };
}

export async function remove(record: object): Promise<void> {
  await userGroups.delete("user-groups", { ...record, ...provided });
}

/** What is recorded of an operation that some groups didn't survive, and the reasons that the engine prints. */
export async function recordedBy(
  operation: Promise<unknown>,
): Promise<{ record: UserGroupsRecord; reasons: string[] }> {
  try {
    await operation;
  } catch (error) {
    const { properties, reasons } = initError.parse(error);
    const { __provider, ...record } = properties;
    if (__provider !== provided.__provider) throw new Error("The record has lost its provider.");
    return { record: userGroupsRecord.strict().parse(record), reasons };
  }
  throw new Error("The operation didn't fail.");
}

const initError = z.object({
  id: z.literal("user-groups"),
  properties: z.record(z.string(), z.unknown()),
  reasons: z.array(z.string()),
});

/** The tokens that the service holds, by ID. */
export function tokensIn({ groups }: Emulator): Record<string, string> {
  return Object.fromEntries([...groups.values()].map(({ userGroupId, token }) => [userGroupId, token]));
}

/** So many groups, `t0` and so on, each with the same values. */
export function many(count: number, values: object = { name: "Tenant" }): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, values]));
}

/** What the service did, sorted, since groups are taken in any order. */
export function effects({ requests }: Emulator): string[] {
  return requests.map(({ method, userGroupId = "?", effect }) => `${method} ${userGroupId} ${effect}`).sort();
}
