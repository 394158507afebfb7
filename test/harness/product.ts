/**
 * The only connection between the suites (faults, small histories) and the product. The suites pass in everything that the
 * product needs from outside.
 */
import { Claims } from "../../provider/src/core/claims";
import type { ServiceGroup, StoredGroup } from "../../provider/src/core/drift";
import type { DynamicProvider } from "../../provider/src/dynamic/dynamicProvider";
import { dynamicProviders, type DynamicDependencies } from "../../provider/src/dynamic/dynamicProviders";

export interface ProductOptions extends Omit<DynamicDependencies, "claims"> {
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

/** Starts what the engine starts for one command: providers that share the claims of a deployment. */
export function startProviders({ settings, defect, ...dependencies }: ProductOptions): Providers {
  const claims = new DefectiveClaims(defect, dependencies.clock);
  const { userGroup, userGroups } = dynamicProviders({ ...dependencies, claims });
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

class DefectiveClaims extends Claims {
  constructor(
    private readonly defect: ProductOptions["defect"],
    clock: ProductOptions["clock"],
  ) {
    super((signal) => clock.sleep(200, signal).catch(() => undefined));
  }

  override get(
    resource: string | undefined,
    key: string,
    group: StoredGroup,
    isNew: boolean,
    isLookup = false,
  ): void {
    this.#strike(key);
    super.get(resource, key, group, isNew, isLookup);
  }

  override delete(key: string, group: ServiceGroup): void {
    this.#strike(key);
    super.delete(key, group);
  }

  #strike(key: string): void {
    const defect = this.defect();
    if (!defect || !key.endsWith(`,${JSON.stringify(defect.userGroupId)}]`)) return;
    defect.hits += 1;
    throw new TypeError("Cannot read properties of undefined (reading 'length')");
  }
}
