/**
 * The only connection between the suites (faults, histories) and the product. The suites pass in everything that the
 * product needs from outside.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { DeploymentTracker } from "../../provider/src/core/deploymentTracker";
import type { DynamicProvider } from "../../provider/src/dynamic/dynamicProvider";
import { dynamicProviders, type DynamicDependencies } from "../../provider/src/dynamic/dynamicProviders";

export interface ProductOptions extends Omit<DynamicDependencies, "tracker"> {
  /** The stack's configuration without `user-groups:`. It may change while the product runs. */
  readonly settings: Readonly<Record<string, string>>;
  /** A TypeError of the product's own code, if there is one now. */
  readonly defect: () => Defect | undefined;
}

/** A defect of the product: while it works on one group, an operation throws an unexpected TypeError. */
export interface Defect {
  readonly userGroupId: string;
  /** Whether it strikes while a request is sent, or when the product notes what it has done. */
  readonly in: "sending" | "tracking";
  /** How often it struck. */
  hits: number;
}

/** The kinds of resources, each with a provider. */
export type Kind = "userGroup" | "userGroups";

/** The providers of one process, which the engine starts for one command. */
export interface Providers extends Readonly<Record<Kind, DynamicProvider>> {
  readonly end?: () => Promise<void>;
}

/** Starts what the engine starts for one command: providers that share a deployment tracker. */
export function startProviders({ settings, defect, ...dependencies }: ProductOptions): Providers {
  const tracker = new DefectiveTracker(defect);
  const { userGroup, userGroups } = dynamicProviders({ ...dependencies, tracker });
  void userGroup.configure({
    config: {
      get: (key) => settings[key.replace("user-groups:", "")],
      require: (key) => settings[key.replace("user-groups:", "")] ?? "",
    },
  });
  return { userGroup: within(defect, userGroup), userGroups: within(defect, userGroups) };
}

/** What a resource's class passes to the engine for the arguments of a program. */
export function inputsOf({ name, args }: { readonly name: string; readonly args: object }): object {
  return { ...args, __provider: "text", __resource: name };
}

type FindDefect = ProductOptions["defect"];

const defects = new AsyncLocalStorage<FindDefect>();

function within(defect: FindDefect, provider: DynamicProvider): DynamicProvider {
  return {
    configure: (request) => defects.run(defect, () => provider.configure(request)),
    check: (olds, news) => defects.run(defect, () => provider.check(olds, news)),
    diff: (id, olds, news) => defects.run(defect, () => provider.diff(id, olds, news)),
    create: (inputs) => defects.run(defect, () => provider.create(inputs)),
    read: (id, props) => defects.run(defect, () => provider.read(id, props)),
    update: (id, olds, news) => defects.run(defect, () => provider.update(id, olds, news)),
    delete: (id, props) => defects.run(defect, () => provider.delete(id, props)),
  };
}

class DefectiveTracker extends DeploymentTracker {
  constructor(private readonly defect: FindDefect) {
    super();
  }

  override noteHolder(...args: Parameters<DeploymentTracker["noteHolder"]>): void {
    this.#strike(args[0]);
    super.noteHolder(...args);
  }

  override isUsedElsewhere(key: string): boolean {
    this.#strike(key);
    return super.isUsedElsewhere(key);
  }

  override isReplaced(key: string): boolean {
    this.#strike(key);
    return super.isReplaced(key);
  }

  #strike(key: string): void {
    const defect = this.defect();
    if (defect?.in === "tracking" && key.endsWith(`,${JSON.stringify(defect.userGroupId)}]`)) strike(defect);
  }
}

function strike(defect: Defect): never {
  defect.hits += 1;
  throw new TypeError("Cannot read properties of undefined (reading 'length')");
}

patchSerialization();

/** Each attempt serializes the request body anew. Only a defect of the code itself could throw there. */
function patchSerialization(): void {
  const { stringify } = JSON;
  JSON.stringify = (value: unknown, ...rest: unknown[]): string => {
    const defect = defects.getStore()?.();
    const isSent = typeof value === "object" && value !== null && "user_group_id" in value;
    if (defect?.in === "sending" && isSent && value.user_group_id === defect.userGroupId) strike(defect);
    return String(Reflect.apply(stringify, JSON, [value, ...rest]));
  };
}
