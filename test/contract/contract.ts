/** A behavior of the product, written once, and tested with each driver. */
import assert from "node:assert/strict";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../provider/src/testing";
import { canKill } from "../engine/harness";
import type { Kind } from "../harness/product";
import { groupsOf, type GroupState } from "../model/groups";
import type { Declared, ResourceState } from "../model/resources";
import { drivers, type Driver, type Run, type Settings, type Stack, type UpOptions } from "./drivers";

export type Program = readonly Declared[];

export interface BehaviorOptions extends EmulatorOptions {
  /** Beside the address, the API token and a time-out of 5 seconds. */
  readonly settings?: Settings;
  /** Default: all. */
  readonly drivers?: readonly Driver["name"][];
}

/** Tests a behavior with each driver, each time with a service and a stack of its own. */
export function behavior(
  title: string,
  test: (context: Context) => Promise<void>,
  { settings, drivers: names, ...options }: BehaviorOptions = {},
): void {
  for (const driver of drivers.filter(({ name }) => names?.includes(name) ?? true))
    it(`${title} (${driver.name})`, async function () {
      if (driver.name === "engine" && !canKill) this.skip();
      const emulator = await startEmulator(options);
      const other = await startEmulator({ apiToken: emulator.apiToken });
      const stack = await driver.start(emulator, [other]);
      try {
        await test(new Context(driver, emulator, other, stack, settings));
      } finally {
        await stack.remove();
        await Promise.all([emulator.stop(), other.stop()]);
      }
    });
}

/**
 * Tests a behavior with each driver and each kind of resource. The real engine takes long, so there the title decides on one
 * kind.
 */
export function behaviorOfBoth(
  title: string,
  test: (context: Context, declare: Declare) => Promise<void>,
  options: BehaviorOptions = {},
): void {
  const kinds = Object.entries(declaring);
  for (const [index, [kind, declare]] of kinds.entries())
    behavior(`${kind}: ${title}`, (context) => test(context, declare), {
      ...options,
      drivers: [
        "provider",
        "plugin",
        ...(index === title.length % kinds.length ? (["engine"] as const) : []),
      ],
    });
}

/** `groups`: user group ID → its other arguments. `shared`: arguments such as `adopt`. */
export type Declare = (groups: Readonly<Record<string, object>>, shared?: object) => Program;

/** One resource for each group. */
export const declareEach: Declare = (groups, shared) =>
  Object.entries(groups).map(([userGroupId, args]) =>
    resource(userGroupId, "userGroup", { userGroupId, ...args, ...shared }),
  );

/** One resource for all groups. */
export const declareMany: Declare = (groups, shared) => [
  resource("tenants", "userGroups", { groups, ...shared }),
];

const declaring = { UserGroup: declareEach, UserGroups: declareMany };

export function resource(
  name: string,
  provider: Kind,
  args: object,
  options: Partial<Declared> = {},
): Declared {
  return { name, provider, args, ...options };
}

/** The programs and the service of one test. A preview is checked to make no request, without an API token. */
class Context {
  readonly settings: Settings;

  constructor(
    readonly driver: Driver,
    readonly emulator: Emulator,
    /** Another service, with the same API token. */
    readonly other: Emulator,
    private readonly stack: Stack,
    settings: Settings = {},
  ) {
    this.settings = { baseUrl: emulator.baseUrl, apiToken: emulator.apiToken, timeout: "5", ...settings };
  }

  async preview(program: Program): Promise<Run> {
    const { apiToken, ...settings } = this.settings;
    const former = this.emulator.requests.length;
    const run = await this.stack.preview(program, settings);
    assert.equal(this.emulator.requests.length, former, "A preview made requests");
    return run;
  }

  up(program: Program, options?: UpOptions): Promise<Run> {
    return this.stack.up(program, this.settings, options);
  }

  refresh(): Promise<Run> {
    return this.stack.refresh(this.settings);
  }

  destroy(): Promise<Run> {
    return this.stack.destroy(this.settings);
  }

  taint(name: string): Promise<void> {
    return this.stack.taint(name);
  }

  resources(): Promise<readonly ResourceState[]> {
    return this.stack.resources();
  }

  /** A successful up. */
  async applies(program: Program, options?: UpOptions): Promise<Run> {
    return succeeds(await this.up(program, options));
  }

  /** The one resource of that name. */
  async resource(name: string): Promise<ResourceState> {
    const found = (await this.resources()).filter((each) => each.name === name);
    assert.equal(found.length, 1, `${found.length} resources "${name}"`);
    return found[0] ?? assert.fail();
  }

  /** The group as the state has it; undefined: it isn't there. */
  async group(userGroupId: string): Promise<(GroupState & { adopted: boolean }) | undefined> {
    for (const found of await this.resources()) {
      const group = groupsOf(found).find((each) => each.userGroupId === userGroupId);
      const adopted = "adopted" in found.outputs ? found.outputs.adopted : undefined;
      if (group)
        return {
          ...group,
          adopted: Array.isArray(adopted) ? adopted.includes(userGroupId) : adopted === true,
        };
    }
    return undefined;
  }

  /** The requests since the last call, such as `GET acme created`. */
  requests(): string[] {
    const lines = this.emulator.requests.map(
      ({ method, userGroupId = "?", effect }) => `${method} ${userGroupId} ${effect}`,
    );
    this.emulator.clearRequests();
    return lines;
  }

  /** The bodies of the requests since the last call of `requests`. */
  bodies(): unknown[] {
    return this.emulator.requests.map(({ body }) => body);
  }

  token(userGroupId: string): string | undefined {
    return this.emulator.groups.get(userGroupId)?.token;
  }
}

export function succeeds(run: Run): Run {
  assert.equal(run.errors, "");
  return run;
}

/** Asserts the errors' codes and texts. */
export function fails(run: Run, ...patterns: readonly RegExp[]): Run {
  for (const pattern of patterns) assert.match(run.errors, pattern);
  return run;
}
