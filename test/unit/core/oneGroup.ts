import assert from "node:assert/strict";
import { z } from "zod";
import { userGroup } from "../../../provider/src/provider";
import type { EmulatorOptions } from "../../../provider/src/testing";
import { inWorld, type World, type WorldOptions } from "../world";

/** What the engine passes and records beside the arguments. */
const provided = { __provider: "text of the provider" };

/** A group with every argument that the service hears of. */
export const acme = {
  userGroupId: "acme",
  name: "Acme",
  mapping: { sales: "warehouse", finance: 7 },
  properties: { region: "eu", nested: { none: null, list: [1, "two"] } },
};

/** What goes over the wire for it. */
export const acmeSent = {
  user_group_id: "acme",
  name: "Acme",
  mapping: acme.mapping,
  properties: acme.properties,
};

export type Behaviour = Required<Pick<EmulatorOptions, "existing" | "answer" | "emptyProperties">>;

/** Both ways of everything that the interface doesn't show of get-or-create. */
const behaviours: Behaviour[] = (["keep", "update"] as const).flatMap((existing) =>
  (["stored", "requested"] as const).flatMap((answer) =>
    (["absent", "null"] as const).map((emptyProperties) => ({ existing, answer, emptyProperties })),
  ),
);

/** One test for each behaviour. `configuration` holds what the stack's would. */
export function itInEveryService(
  title: string,
  options: WorldOptions,
  test: (world: World, behaviour: Behaviour) => Promise<void>,
): void {
  for (const behaviour of behaviours) {
    it(
      `${title} (${Object.values(behaviour).join(", ")})`,
      inWorld({ ...options, ...behaviour }, (world) => test(world, behaviour)),
    );
  }
}

/** Configures the provider as the SDK does. */
export async function configure(values: Readonly<Record<string, string>> = {}): Promise<void> {
  const get = (key: string) => values[key];
  const need = (key: string) => values[key] ?? assert.fail(`no ${key}`);
  await userGroup.configure({ config: { get, require: need } });
}

const record = z.record(z.string(), z.unknown());

/** Creates a group, and gives what is recorded of it. */
export async function create(args: object): Promise<Record<string, unknown>> {
  const { id, outs } = await userGroup.create({ ...args, ...provided });
  assert.equal(id, record.parse(args)["userGroupId"]);
  return record.parse(outs);
}

/** Reads a group, and gives what is recorded of it as outputs and as inputs. */
export async function read(
  id: string,
  recorded: object,
): Promise<{ outputs: Record<string, unknown>; inputs: unknown }> {
  const { id: same, props, inputs } = await userGroup.read(id, { ...recorded, ...provided });
  assert.equal(same, id);
  return { outputs: record.parse(props), inputs };
}

export interface Recorded {
  readonly userGroupId: string;
  readonly token?: string;
  readonly adopted?: boolean;
}

/** Updates a group, and gives what is recorded of it. */
export async function update(recorded: Recorded, args: object): Promise<unknown> {
  const { outs } = await userGroup.update(
    recorded.userGroupId,
    { ...recorded, ...provided },
    { ...args, ...provided },
  );
  return outs;
}

export async function remove(recorded: Recorded): Promise<void> {
  await userGroup.delete(recorded.userGroupId, { ...recorded, ...provided });
}
