/** Whether the groups in an exported state are as this version writes them. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { firstFew } from "../../errors";
import { providerTexts } from "../../providerText";
import { isObject } from "../../schema";
import { UsageError } from "../command";
import { failed, ok, warning, type Finding } from "./finding";

export function checkState(file: string): Finding[] {
  const recorded = readResources(file).flatMap(groupsIn);
  const outdated = recorded.filter(({ isOutdated }) => isOutdated);
  const open = recorded.filter(({ isOpen }) => isOpen);
  if (outdated.length + open.length === 0)
    return [ok("state", `The state has ${count(recorded)}, all as this version writes them`)];
  return [
    ...(outdated.length > 0 ? [outdatedTexts(outdated)] : []),
    ...(open.length > 0 ? [openTokens(open)] : []),
  ];
}

interface RecordedGroup {
  readonly userGroupId: string;
  readonly isOutdated: boolean;
  /** Whether its token can be read. */
  readonly isOpen: boolean;
}

function outdatedTexts(recorded: readonly RecordedGroup[]): Finding {
  const groups = idsOf(recorded);
  return {
    ...warning(
      "state",
      `The provider text isn't today's for ${count(groups)}: ${firstFew(groups)}`,
      "pulumi up with this version of the package writes it anew.",
    ),
    groups,
  };
}

function openTokens(recorded: readonly RecordedGroup[]): Finding {
  const groups = idsOf(recorded);
  return {
    ...failed(
      "state",
      `The token is in plain text for ${count(groups)}: ${firstFew(groups)}`,
      "Delete the file if it was exported with --show-secrets. Otherwise the stack itself holds them: " +
        "pulumi up with this version of the package encrypts them, and its history keeps the old ones.",
    ),
    groups,
  };
}

/** In an order of their own: the engine's isn't always the same. */
function idsOf(recorded: readonly RecordedGroup[]): string[] {
  return recorded.map(({ userGroupId }) => userGroupId).sort();
}

function count({ length }: readonly unknown[]): string {
  return length === 1 ? "1 user group" : `${length} user groups`;
}

type Resource = z.infer<typeof resource>;

const properties = z.record(z.string(), z.unknown()).default({});

const resource = z.object({
  type: z.string(),
  id: z.string().default(""),
  inputs: properties,
  outputs: properties,
});

const resources = z.object({ resources: z.array(resource).nullish() });

/** As `pulumi stack export` writes it, or as the file backend keeps it. */
const stateFile = z.union([
  z.object({ deployment: resources }).transform(({ deployment }) => deployment.resources ?? []),
  z
    .object({ checkpoint: z.object({ latest: resources.nullish() }) })
    .transform(({ checkpoint }) => checkpoint.latest?.resources ?? []),
]);

function readResources(file: string): Resource[] {
  try {
    return stateFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new UsageError(`--state ${file}: this is no file of pulumi stack export`);
  }
}

function groupsIn({ type, id, inputs, outputs }: Resource): RecordedGroup[] {
  const isOutdatedAs = (text: string) =>
    [inputs, outputs].some(({ __provider: recorded }) => recorded !== text);
  if (type.endsWith("/user-groups:UserGroup"))
    return [
      {
        userGroupId: id,
        isOutdated: isOutdatedAs(providerTexts.userGroup),
        isOpen: !isSealed(outputs["token"]),
      },
    ];
  if (!type.endsWith("/user-groups:UserGroups")) return [];
  const { tokens } = outputs;
  const isOutdated = isOutdatedAs(providerTexts.userGroups);
  return (idsIn(outputs["groups"]) ?? idsIn(inputs["groups"]) ?? [id]).map((userGroupId) => ({
    userGroupId,
    isOutdated,
    isOpen: !isSealed(tokenIn(tokens, userGroupId)),
  }));
}

/** Undefined where a secret in one of the groups made all of them one. */
function idsIn(groups: unknown): string[] | undefined {
  return isObject(groups) && !(mark in groups) ? Object.keys(groups) : undefined;
}

/** The token of one group, or all that there is where they are one secret. */
function tokenIn(tokens: unknown, userGroupId: string): unknown {
  return isObject(tokens) && !(mark in tokens) ? Reflect.get(tokens, userGroupId) : tokens;
}

/** Whether a recorded value is encrypted. One that isn't there can't be read. */
function isSealed(value: unknown): boolean {
  return value === undefined || ciphertext.safeParse(value).success;
}

/** Pulumi's mark of a special value; below it stands that of a secret. */
const mark = "4dabf18193072939515e22adb298388d";
const ciphertext = z.object({
  [mark]: z.literal("1b47061264138c4ac30d75fd1eb44270"),
  ciphertext: z.string(),
});
