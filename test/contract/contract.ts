/** A behavior of the product, written once, and tested with each driver. */
import { startEmulator, type EmulatorOptions } from "../../provider/testing";
import type { Kind } from "../support/harness/product";
import { isWhole } from "../support/harness/whole";
import type { Declared } from "../support/model/resources";
import { drivers, isOnEngine, type Driver, type Program, type Settings } from "./drivers";
import { StackContext } from "./stackContext";

export interface BehaviorOptions extends EmulatorOptions {
  /** Beside the address, the API token and a time-out of 5 seconds. */
  readonly settings?: Settings;
  /** Default: all. */
  readonly drivers?: readonly Driver["name"][] | undefined;
  /**
   * When it runs on the real engine. `never`: the engine does there no otherwise than the model of it, with which `small` compares it.
   * `release`: before a release, because another case shows what the engine does there. Default: in each change.
   */
  readonly engine?: "never" | "release";
}

/** Options of a behavior without the real engine. */
export const inModel = { engine: "never" } as const;

type Test = (context: StackContext) => Promise<void>;
type TestOfBoth = (context: StackContext, declare: Declare, service: ServiceBehavior) => Promise<void>;

/** Tests a behavior with each driver, each time with a service and a stack of its own. */
export function behavior(title: string, options: BehaviorOptions, test: Test): void {
  const { settings, drivers: names, engine, ...service } = options;
  if (isOnEngine && (engine === "never" || (engine === "release" && !isWhole))) return;
  for (const driver of drivers.filter(({ name }) => names?.includes(name) ?? true))
    it(`${title} (${driver.name})`, async () => {
      const emulator = await startEmulator(service);
      const other = await startEmulator({ apiToken: emulator.apiToken });
      const stack = await driver.start(emulator, [other]);
      try {
        await test(new StackContext(stack, emulator, other, settings));
      } finally {
        await stack.remove();
        await Promise.all([emulator.stop(), other.stop()]);
      }
    });
}

export interface BehaviorOfBothOptions extends BehaviorOptions {
  /** Default: the emulator's default service. The provider runs with each of them, other drivers with the first. */
  readonly services?: readonly ServiceBehavior[];
}

/**
 * Tests a behavior with each driver and each kind of resource. The real engine takes long, so without `drivers` a `UserGroup`
 * runs there as a dynamic resource, and a `UserGroups` with the plugin.
 */
export function both(title: string, options: BehaviorOfBothOptions, test: TestOfBoth): void {
  const { services = [defaultService], ...others } = options;
  for (const { kind, declare, engine } of kinds)
    for (const service of services) {
      const isFirst = service === services[0];
      const variant = isFirst ? "" : `, with a service of ${Object.values(service).join(", ")}`;
      const used: readonly Driver["name"][] = isFirst ? ["provider", "plugin", engine] : ["provider"];
      const behaviorOptions = { drivers: used, ...service, ...others };
      behavior(`${kind}: ${title}${variant}`, behaviorOptions, (context) => test(context, declare, service));
    }
}

export type ServiceBehavior = Required<Pick<EmulatorOptions, "existing" | "response" | "emptyProperties">>;

/** Both ways of everything that the interface doesn't show of get-or-create. The first is the emulator's default. */
export const everyService: readonly ServiceBehavior[] = (["keep", "update"] as const).flatMap((existing) =>
  (["stored", "requested"] as const).flatMap((response) =>
    (["absent", "null"] as const).map((emptyProperties) => ({ existing, response, emptyProperties })),
  ),
);

const defaultService: ServiceBehavior = { existing: "keep", response: "stored", emptyProperties: "absent" };

/** Whether a service returns the values of a group that exists, and not those of the request. */
export function returnsStored({ existing, response }: ServiceBehavior): boolean {
  return existing === "keep" && response === "stored";
}

/** The arguments of a group that the service receives. */
export const acme = {
  name: "Acme",
  mapping: { sales: "one", finance: 7 },
  properties: { region: "eu", nested: { none: null, list: [1, "two"] } },
};

/** The body of a request with them. */
export const acmeSent = { user_group_id: "acme", ...acme };

export const beta = { name: "Beta" };
export const renamed = { ...acme, name: "New" };
export const remapped = { ...acme, mapping: { sales: "other" } };

/** `groups`: user group ID → its other arguments. `shared`: arguments such as `adopt`. */
export type Declare = (groups: Readonly<Record<string, object>>, shared?: object) => Program;

/** One resource for each group. */
export const declareEach: Declare = (groups, shared) =>
  Object.entries(groups).map(([userGroupId, args]) =>
    resource(userGroupId, "userGroup", { userGroupId, ...args, ...shared }),
  );

/** One resource for all groups. */
export const declareMany: Declare = (groups, shared) => [many("tenants", groups, shared)];

const kinds = [
  { kind: "UserGroup", declare: declareEach, engine: "engine" },
  { kind: "UserGroups", declare: declareMany, engine: "engine with plugin" },
] as const;

/** The group `acme` as a resource of that name. */
export function single(name: string, args: object, options: Partial<Declared> = {}): Declared {
  return resource(name, "userGroup", { userGroupId: "acme", ...args }, options);
}

export function many(
  name: string,
  groups: object,
  shared: object = {},
  options: Partial<Declared> = {},
): Declared {
  return resource(name, "userGroups", { groups, ...shared }, options);
}

/** The same resources, renamed without an alias. */
export function underOtherNames(program: Program): Program {
  return program.map((declared) => ({ ...declared, name: `${declared.name}-2` }));
}

function resource(name: string, provider: Kind, args: object, options: Partial<Declared> = {}): Declared {
  return { name, provider, args, ...options };
}
