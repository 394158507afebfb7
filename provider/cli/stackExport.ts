/**
 * The output of `pulumi stack export --show-secrets`: its resources, and the groups in those of this package, dynamic ones or of the
 * plugin. The core parses their states.
 */
import * as z from "zod";
import { userGroupShape, userGroupsShape, type Shape, type State } from "../core/state/shapes";
import { UserGroupError } from "../errors";
import { jsonText, parse } from "../validation";
import type { Flags, Options, Terminal } from "./command";
import { reasonOfPulumi, runPulumi, stackIn } from "./runPulumi";
import { escaped } from "../text";
import { isObject, secretSignature, signatureKey, type JsonObject } from "../values";

export const shapes = {
  userGroup: userGroupShape,
  userGroups: userGroupsShape,
} as const satisfies Record<string, Shape>;

export type Kind = keyof typeof shapes;

export const types = {
  userGroup: {
    dynamic: "pulumi-nodejs:dynamic/user-groups:UserGroup",
    plugin: "user-groups:index:UserGroup",
  },
  userGroups: {
    dynamic: "pulumi-nodejs:dynamic/user-groups:UserGroups",
    plugin: "user-groups:index:UserGroups",
  },
} as const satisfies Record<Kind, object>;

const properties = z.record(z.string(), z.unknown()).default({});
const flag = z.boolean().default(false);

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().default(""),
  inputs: properties,
  outputs: properties,
  external: flag,
  delete: flag,
  pendingReplacement: flag,
  initErrors: z.array(z.string()).default([]),
});

export type ExportedResource = Readonly<z.infer<typeof resource>>;

const operation = z.object({ resource: resource.pick({ urn: true, type: true }) });

const exported = z.object({
  deployment: z.object({
    resources: z.array(resource).nullish(),
    pending_operations: z.array(operation).nullish(),
  }),
});

export interface StackExport {
  readonly resources: readonly ExportedResource[];
  /** The URNs of resources of this package with an operation that was interrupted. */
  readonly interrupted: readonly string[];
}

/** The option of the commands that read an export. */
export const exportOptions = {
  stack: {
    value: "STACK",
    text:
      "export this stack of the project in this folder (pulumi stack export --show-secrets --stack STACK), instead of\n" +
      "reading standard input",
  },
} as const satisfies Options;

const command = "pulumi stack export --show-secrets";

/** The export of the stack that `--stack` names, or the one on standard input. */
export async function exportIn(flags: Flags, terminal: Terminal): Promise<StackExport> {
  const stack = stackIn(flags);
  if (stack === undefined)
    return readExport(await terminal.readInput(`the output of ${command} (or set --stack)`));
  const args = ["stack", "export", "--show-secrets", "--non-interactive", "--stack", stack];
  const text = await runPulumi(args, { env: terminal.environment }).catch((error: unknown) => {
    const reason = reasonOfPulumi(error) ?? "the command pulumi isn't on the PATH, or failed";
    throw new Error(`The stack ${stack} can't be exported: ${escaped(reason)}`);
  });
  return readExport(text);
}

/** Throws if the text is no export. */
export function readExport(text: string): StackExport {
  const { deployment } = parse(jsonText("is not JSON").pipe(exported), text, ({ path, reason }) => {
    return new Error(`The source isn't an export of a Pulumi stack: its ${path || "text"} ${reason}.`);
  });
  const pending = (deployment.pending_operations ?? []).map((each) => each.resource);
  const interrupted = pending.filter(({ type }) => kindOf(type) !== undefined).map(({ urn }) => urn);
  return { resources: deployment.resources ?? [], interrupted };
}

/** Undefined: a resource of another package. */
export function kindOf(type: string): Kind | undefined {
  const kinds = ["userGroup", "userGroups"] as const satisfies Kind[];
  return kinds.find((kind) => Object.values(types[kind]).some((each) => each === type));
}

/** Whether it has groups. The token of a group whose replacement has begun is dead. */
export function isCurrent({ type, delete: isLeft, pendingReplacement }: ExportedResource): boolean {
  return kindOf(type) !== undefined && !isLeft && !pendingReplacement;
}

/** The state of a resource of this package. Throws if it can't be read. */
export function stateOf({ urn: name, type, id, outputs }: ExportedResource): State {
  const urn = escaped(name);
  if (hasSecret(outputs, (mark) => !("plaintext" in mark)))
    throw new Error(`${urn} is encrypted: export the stack with --show-secrets`);
  const kind = kindOf(type);
  if (kind === undefined) throw new Error(`${urn} is a resource of another package.`);
  try {
    return shapes[kind].parseState(id, plain(outputs));
  } catch (error) {
    if (!(error instanceof UserGroupError)) throw error;
    throw new Error(`${urn} can't be read. ${error.sentence}`);
  }
}

/** Whether a part of the value is a secret, of those with such a mark. */
export function hasSecret(value: unknown, isWanted: (mark: JsonObject) => boolean = () => true): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (isMark(value)) return isWanted(value);
  return Object.values(value).some((part) => hasSecret(part, isWanted));
}

function isMark(value: unknown): value is JsonObject {
  return isObject(value) && value[signatureKey] === secretSignature;
}

/** The outputs with the values of secrets in the place of their marks. */
function plain(outputs: JsonObject): JsonObject {
  const text = JSON.stringify(outputs, (_, value: unknown): unknown => {
    return isMark(value) && typeof value["plaintext"] === "string" ? secretIn(value["plaintext"]) : value;
  });
  const copy: unknown = JSON.parse(text);
  return isObject(copy) ? copy : {};
}

/** The messages of `JSON.parse` quote the text. */
function secretIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("A secret of the export isn't JSON. Export the stack again.");
  }
}
