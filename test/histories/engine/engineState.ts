/** The resources in an exported state, in the terms of the model. */
import { z } from "zod";
import { noteSecrets, type ResourceState } from "../../model/resources";

export function resourcesIn(exported: unknown): ResourceState[] {
  const { resources } = state.parse(exported).deployment;
  return (resources ?? []).flatMap(({ type, urn, id, inputs, outputs, taint, external, ...resource }) => {
    const provider = providers.get(type);
    if (provider === undefined || id === undefined) return [];
    return [
      {
        name: urn.slice(urn.lastIndexOf("::") + 2),
        provider,
        id,
        inputs: plain(inputs),
        outputs: noteSecrets(plain(outputs), outputs),
        initErrors: resource.initErrors,
        status: statusOf(resource),
        retainOnDelete: resource.retainOnDelete,
        isTainted: taint,
        isExternal: external,
      },
    ];
  });
}

const providers = new Map<string, ResourceState["provider"]>([
  ["pulumi-nodejs:dynamic/user-groups:UserGroup", "userGroup"],
  ["pulumi-nodejs:dynamic/user-groups:UserGroups", "userGroups"],
  ["user-groups:index:UserGroup", "userGroup"],
  ["user-groups:index:UserGroups", "userGroups"],
]);

const properties = z.record(z.string(), z.unknown()).default({});
const resource = z.object({
  type: z.string(),
  urn: z.string(),
  id: z.string().optional(),
  inputs: properties,
  outputs: properties,
  initErrors: z.array(z.string()).default([]),
  delete: z.boolean().default(false),
  pendingReplacement: z.boolean().default(false),
  retainOnDelete: z.boolean().default(false),
  taint: z.boolean().default(false),
  external: z.boolean().default(false),
});
const state = z.object({ deployment: z.object({ resources: z.array(resource).nullish() }) });

/** Pulumi's mark of a secret, shown. */
const secret = z.object({ "4dabf18193072939515e22adb298388d": z.string(), plaintext: z.string() });

function plain(values: object): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { data: shown } = secret.safeParse(value);
      return [name, shown ? JSON.parse(shown.plaintext) : value];
    }),
  );
}

function statusOf({
  delete: isReplaced,
  pendingReplacement: isDeleted,
}: Pick<z.infer<typeof resource>, "delete" | "pendingReplacement">): ResourceState["status"] {
  return isReplaced ? "pending delete" : isDeleted ? "pending replacement" : "live";
}
