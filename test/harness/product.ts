/**
 * The only connection between the suites (faults, small histories) and the product. The suites pass in everything that the
 * product needs from outside.
 */
import { Facts, type Holder } from "../../provider/src/core/deployment/facts";
import type { ServiceGroup } from "../../provider/src/core/state/storedGroup";
import type { DynamicProvider } from "../../provider/src/dynamic/dynamicProvider";
import { dynamicProviders, type DynamicDependencies } from "../../provider/src/dynamic/dynamicProviders";

export interface ProductOptions extends Omit<DynamicDependencies, "facts"> {
  /** The stack's configuration without `user-groups:`. It may change while the product runs. */
  readonly settings: Readonly<Record<string, string>>;
  /** A TypeError of the product's own code, if there is one now. */
  readonly defect: () => Defect | undefined;
}

/** A defect of the product: when it notes what it has done for one group, it throws an unexpected TypeError. */
export interface Defect {
  readonly userGroupId: string;
  /** How often it struck. */
  hits: number;
}

/** The kinds of resources, each with a provider. */
export type Kind = "userGroup" | "userGroups";

/** The providers of one process, which the engine starts for one command. */
export interface Providers extends Readonly<Record<Kind, DynamicProvider>> {
  readonly end?: () => Promise<void>;
  /** No further request begins, as after Ctrl-C. */
  readonly cancel?: () => Promise<void> | void;
}

/** Starts what the engine starts for one command: providers that share the facts of a deployment. */
export function startProviders({ settings, defect, ...dependencies }: ProductOptions): Providers {
  const { userGroup, userGroups } = dynamicProviders({ ...dependencies, facts: new DefectiveFacts(defect) });
  void userGroup.configure({
    config: {
      get: (key) => settings[key.replace("user-groups:", "")],
      require: (key) => settings[key.replace("user-groups:", "")] ?? "",
    },
  });
  return { userGroup, userGroups };
}

/** What a resource's class passes to the engine for the arguments of a program. */
export function inputsOf({ name, args }: { readonly name: string; readonly args: object }): object {
  return { ...args, __provider: "text", __resource: name };
}

class DefectiveFacts extends Facts {
  constructor(private readonly defect: ProductOptions["defect"]) {
    super();
  }

  override hold(holder: Holder): void {
    if (holder.how !== "stays") this.#strike(holder.group);
    super.hold(holder);
  }

  override noteDeleted(address: string | undefined, group: ServiceGroup): void {
    this.#strike(group);
    super.noteDeleted(address, group);
  }

  #strike({ providedId }: ServiceGroup): void {
    const defect = this.defect();
    if (defect?.userGroupId !== providedId) return;
    defect.hits += 1;
    throw new TypeError("Cannot read properties of undefined (reading 'length')");
  }
}
