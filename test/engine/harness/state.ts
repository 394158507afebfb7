/** The resources of a state, as the engine wrote them and in the terms of the model. */
import { z } from "zod";
import { noteSecrets, type ResourceState } from "../../model/resources";
import { nameOf } from "./results";

/** A resource as the state records it. Its secrets are encrypted. */
export type Resource = z.infer<typeof resource>;

/** The resources of a state file, the stack itself among them. */
export function readState(text: string): Resource[] {
  return stateFile.parse(JSON.parse(text)).checkpoint.latest?.resources ?? [];
}

/** Whether a recorded value is encrypted. */
export function isSecret(value: unknown): boolean {
  return secret.safeParse(value).data?.ciphertext !== undefined;
}

/** The product's resources in a state that was exported with its secrets in plain text. */
export function resourcesIn(exported: unknown): ResourceState[] {
  const { resources } = exportedState.parse(exported).deployment;
  return (resources ?? []).flatMap(({ type, id, inputs, outputs, ...recorded }) => {
    const [, provider] = /user-groups:(?:index:)?(UserGroups?)$/.exec(type) ?? [];
    if (provider === undefined || id === undefined) return [];
    const { name, initErrors, retainOnDelete, taint: isTainted, external: isExternal } = recorded;
    return [
      {
        ...{ name, id, initErrors, retainOnDelete, isTainted, isExternal },
        provider: provider === "UserGroup" ? ("userGroup" as const) : ("userGroups" as const),
        inputs: plain(inputs),
        outputs: noteSecrets(plain(outputs), outputs),
        status: statusOf(recorded),
      },
    ];
  });
}

const properties = z.record(z.string(), z.unknown()).default({});
const isSet = z.boolean().default(false);

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
    taint: isSet,
    retainOnDelete: isSet,
    delete: isSet,
    pendingReplacement: isSet,
  })
  .transform((recorded) => ({ ...recorded, name: nameOf(recorded.urn) }));

const state = z.object({ resources: z.array(resource).nullish() });
const stateFile = z.object({ checkpoint: z.object({ latest: state.nullish() }) });
const exportedState = z.object({ deployment: state });

/** Pulumi's mark of a special value, and that of a secret among them. */
const secret = z.object({
  "4dabf18193072939515e22adb298388d": z.literal("1b47061264138c4ac30d75fd1eb44270"),
  ciphertext: z.string().optional(),
  plaintext: z.string().optional(),
});

function plain(values: object): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, unknown] => {
      const shown = secret.safeParse(value).data?.plaintext;
      return [name, shown === undefined ? value : JSON.parse(shown)];
    }),
  );
}

function statusOf(recorded: Pick<Resource, "delete" | "pendingReplacement">): ResourceState["status"] {
  if (recorded.delete) return "pending delete";
  return recorded.pendingReplacement ? "pending replacement" : "live";
}
