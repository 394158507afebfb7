/**
 * The only connection between the suites (faults, histories) and the product. The suites pass in everything that the
 * product needs from outside.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { DeploymentFacts, type Fact } from "../../provider/src/core/deployment/facts";
import type { DynamicProvider } from "../../provider/src/dynamic/dynamicProvider";
import { dynamicProviders, type DynamicDependencies } from "../../provider/src/dynamic/dynamicProviders";

export interface ProductOptions extends Omit<DynamicDependencies, "facts"> {
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
  /** No further request begins, as after Ctrl-C. */
  readonly cancel?: () => Promise<void> | void;
}

/** Starts what the engine starts for one command: providers that share the facts of a deployment. */
export function startProviders({ settings, defect, ...dependencies }: ProductOptions): Providers {
  const facts = new DefectiveFacts(defect);
  const { userGroup, userGroups } = dynamicProviders({ ...dependencies, facts });
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

class DefectiveFacts extends DeploymentFacts {
  constructor(private readonly defect: FindDefect) {
    super();
  }

  override add(key: string, fact: Fact): void {
    const defect = this.defect();
    const isTracked = fact.kind === "held" || fact.kind === "deleted";
    if (isTracked && defect?.in === "tracking" && key.endsWith(`,${JSON.stringify(defect.userGroupId)}]`))
      strike(defect);
    super.add(key, fact);
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
