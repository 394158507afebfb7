/** What the engine does because resources depend on each other. By their states; a program can only have dropped dependencies since. */
import { unknownValue, type ResourceState } from "./resources";
import type { ModelRun } from "./run";

/** Resources that depend on `root`, directly or not, and that the program hasn't declared yet. Those that others depend on first. */
export function dependentsOf(
  root: ResourceState,
  resources: readonly ResourceState[],
  { changes }: ModelRun,
): ResourceState[] {
  const names = new Set([root.name]);
  const later = resources.slice(resources.indexOf(root) + 1);
  return later.filter((resource) => {
    const isDependent = dependenciesOf(resource).some((name) => names.has(name));
    if (isDependent) names.add(resource.name);
    return isDependent && !(resource.name in changes) && !resource.isExternal;
  });
}

/** The inputs of a state with unknown values where those of replaced resources are. undefined: there are none. */
export function diffOfDependent(
  { inputs, propertyDependencies }: ResourceState,
  replaced: ReadonlySet<string>,
): object | undefined {
  const properties = Object.entries(propertyDependencies).filter(([, names]) =>
    names.some((name) => replaced.has(name)),
  );
  if (properties.length === 0) return undefined;
  return { ...inputs, ...Object.fromEntries(properties.map(([property]) => [property, unknownValue])) };
}

/** Whether no resource that depends on it has failed or was skipped in the run. */
export function deletable(
  { name }: ResourceState,
  resources: readonly ResourceState[],
  { undone }: ModelRun,
): boolean {
  const kept = new Set<string>();
  for (const resource of [...resources].reverse())
    if (undone.has(resource.name) || kept.has(resource.name))
      for (const dependency of dependenciesOf(resource)) kept.add(dependency);
  return !kept.has(name);
}

function dependenciesOf({ dependencies, propertyDependencies }: ResourceState): string[] {
  return [...dependencies, ...Object.values(propertyDependencies).flat()];
}
