/** The resources of a state, as the engine wrote them and in the terms of the model. */
import { z } from "zod";
import type { ResourceState } from "../model/resources";
import { noteMarks, secret as marked } from "../model/secrets";
import { nameOf } from "./results";

/** A resource as the state records it. Its secrets are encrypted. */
export type Resource = z.infer<typeof resource>;

/** The resources of a state file, the stack itself among them. */
export function readState(text: string): Resource[] {
  return stateFile.parse(JSON.parse(text)).checkpoint.latest?.resources ?? [];
}

/** Whether a recorded value is encrypted. */
export function isEncrypted(value: unknown): boolean {
  return secret.safeParse(value).data?.ciphertext !== undefined;
}

/** The product's resources in a state that was exported with its secrets in plain text. */
export function resourcesIn(exported: unknown): ResourceState[] {
  const recorded = exportedState.parse(exported).deployment.resources ?? [];
  return recorded.flatMap(({ type, id, inputs, outputs, ...others }) => {
    const [, kind] = /user-groups:(?:index:)?(UserGroups?)$/.exec(type) ?? [];
    if (kind === undefined || id === undefined) return [];
    const { name, initErrors, retainOnDelete, external: isExternal } = others;
    // A refresh drops the properties that depend on nothing.
    const dependencies = Object.entries(others.propertyDependencies).filter(([, urns]) => urns.length > 0);
    return {
      ...{ name, id, initErrors, retainOnDelete, isExternal },
      provider: kind === "UserGroup" ? "userGroup" : "userGroups",
      inputs: withMarks(inputs),
      outputs: withMarks(outputs),
      status: statusOf(others),
      dependencies: others.dependencies.map(nameOf),
      propertyDependencies: Object.fromEntries(dependencies.map(([name, urns]) => [name, urns.map(nameOf)])),
    };
  });
}

const properties = z.record(z.string(), z.unknown()).default({});
const isSet = z.boolean().default(false);
const urns = z
  .array(z.string())
  .nullish()
  .transform((listed) => listed ?? []);

const resource = z
  .object({
    urn: z.string(),
    type: z.string(),
    id: z.string().optional(),
    inputs: properties,
    outputs: properties,
    initErrors: z.array(z.string()).default([]),
    protect: isSet,
    external: isSet,
    retainOnDelete: isSet,
    delete: isSet,
    pendingReplacement: isSet,
    dependencies: urns,
    propertyDependencies: z.record(z.string(), urns).default({}),
  })
  .transform((recorded) => ({ ...recorded, name: nameOf(recorded.urn) }));

const resources = z.array(resource).nullish();
const stateFile = z.object({ checkpoint: z.object({ latest: z.object({ resources }).nullish() }) });
const exportedState = z.object({ deployment: z.object({ resources }) });

/** Pulumi's mark of a special value, and that of a secret among them. */
const secret = z.object({
  "4dabf18193072939515e22adb298388d": z.literal("1b47061264138c4ac30d75fd1eb44270"),
  ciphertext: z.string().optional(),
  plaintext: z.string().optional(),
});

/** Plain values, whose marks of secrets at any depth are noted. */
function withMarks(values: object): object {
  const shown = (value: unknown, mark: (value: unknown) => unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((each) => shown(each, mark));
    const { plaintext } = secret.safeParse(value).data ?? {};
    if (plaintext !== undefined) return mark(JSON.parse(plaintext));
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shown(each, mark)]));
  };
  const objectOf = (mark: (value: unknown) => unknown) => properties.parse(shown(values, mark));
  return noteMarks(
    objectOf((value) => value),
    objectOf(marked),
  );
}

function statusOf(recorded: Pick<Resource, "delete" | "pendingReplacement">): ResourceState["status"] {
  if (recorded.delete) return "pending delete";
  return recorded.pendingReplacement ? "pending replacement" : "live";
}
