/** What the program may pass, what the state holds and what the service answers: each is parsed here, once. */
import { z } from "zod";

/** How the engine writes a value that isn't known before `up`; it may stand at any depth. */
const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const text = z.string({ error: required("must be a string") }).min(1, "must not be empty");
const flag = z.boolean("must be true or false");

/** As `z.json`, whose message can't be chosen. */
const jsonValue: z.ZodType<z.core.util.JSONType> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(jsonValue), jsonObject], "must be JSON"),
);
const jsonObject = z.record(z.string(), jsonValue).refine(isUnmarked, "must be JSON");
const json = z.record(z.string(), jsonValue, "must be an object").refine(isUnmarked, "must be JSON");

/** What can stand in the name of an environment variable, in upper case and with `_` for `-`, unmistakably. */
const connectionName = text.regex(
  /^[a-z][a-z0-9-]*$/,
  "must consist of lower-case letters, digits and hyphens, and start with a letter",
);

const groupFields = {
  name: text,
  mapping: z
    .record(
      z.string(),
      z.union([z.string(), z.number()], "must be a string or a number"),
      "must be an object of schema id to data source",
    )
    .refine(isUnmarked, "must be JSON")
    .optional(),
  properties: json.optional(),
  dataSourceProvidedId: text.optional(),
};

const sharedArguments = { adopt: flag.optional(), connection: connectionName.optional() };

/** The arguments of `UserGroup`. */
export const userGroupArguments = z.strictObject({ userGroupId: text, ...groupFields, ...sharedArguments });

/** The record of a `UserGroup`; `token` and `adopted` are missing before the first read of a lookup. */
export const userGroupRecord = z.object({
  ...groupFields,
  ...sharedArguments,
  token: text.optional(),
  adopted: flag.optional(),
});

/** The record of a `UserGroup` that has been created or read. */
export const ownedRecord = userGroupRecord.extend({ token: text, adopted: flag });

const groupEntry = z.strictObject(groupFields, "must be an object");
const groupsById = z.record(
  text,
  z.preprocess(withoutNulls, groupEntry),
  "must be an object of userGroupId to group",
);

/** The arguments of `UserGroups`. */
export const userGroupsArguments = z.strictObject({
  groups: groupsById,
  ...sharedArguments,
  removed: z.enum(["delete", "retain"], 'must be "delete" or "retain"').optional(),
  deletionLimit: z.int("must be a whole number").min(0, "must not be negative").optional(),
});

/** The record of a `UserGroups`. */
export const userGroupsRecord = z.object({
  ...userGroupsArguments.shape,
  tokens: z.record(z.string(), text),
  adopted: z.array(z.string()),
});

/** An answer that says that the operation wasn't carried out (interface, "Errors"). */
export const refusal = z.object({ success: z.literal(0) });

const success = z.literal(1, "must be 1, or 0 for a refusal");

/** The answer of a delete that was carried out (interface, "Delete a user group"). */
export const deleteAnswer = z.object({ success }, "must be an object");

/** The answer of a get-or-create that was carried out (interface, "Get or create a user group"). */
export const getOrCreateAnswer = z.object(
  {
    success,
    new_user_group: flag,
    user_group: z.object(
      {
        token: text,
        name: z.string("must be a string"),
        provided_id: z.string("must be a string"),
        properties: json.nullish(),
      },
      "must be an object",
    ),
  },
  "must be an object",
);

export type UserGroupArguments = z.infer<typeof userGroupArguments>;
export type UserGroupsArguments = z.infer<typeof userGroupsArguments>;
export type UserGroupsRecord = z.infer<typeof userGroupsRecord>;

/** One user group in the product's words, whichever resource declares it. */
export type Group = Pick<UserGroupArguments, "userGroupId" | keyof typeof groupFields>;

/** A place in what was parsed and what is wrong there; never the value that was found. */
export interface Flaw {
  readonly place: string;
  readonly reason: string;
}

/** The flaws of `value`, less those of values that aren't known yet. */
export function findFlaws(schema: z.ZodType, value: unknown): Flaw[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.filter((issue) => !leadsToUnknown(value, issue.path)).flatMap(toFlaws);
}

/** Parses `value`, or throws what `complain` makes of the first flaw. */
export function parse<T>(schema: z.ZodType<T>, value: unknown, complain: (flaw: Flaw) => Error): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [flaw = { place: "", reason: "is invalid" }] = result.error.issues.flatMap(toFlaws);
  throw complain(flaw);
}

/** The engine marks by this key what is no JSON, such as an asset or another resource. */
function isUnmarked(value: object): boolean {
  return !Object.hasOwn(value, "4dabf18193072939515e22adb298388d");
}

/** The properties that were given: without null and undefined, and without the SDK's own (`__provider`). */
export function given(properties: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(withoutNulls(properties) ?? {}).filter(([key]) => !key.startsWith("__")),
  );
}

/** An optional property may be given as null. */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, property]) => property != null));
}

/** The message of a value that is there but wrong, or else the one of a missing value. */
function required(message: string): z.core.$ZodErrorMap {
  return (issue) => (issue.input === undefined ? "is required" : message);
}

/** Whether `value`, or a part of it, isn't known before `up`. */
export function isUnknown(value: unknown): boolean {
  return value === unknownValue || (isObject(value) && Object.values(value).some(isUnknown));
}

function leadsToUnknown(value: unknown, path: readonly PropertyKey[]): boolean {
  if (value === unknownValue) return true;
  const [key, ...rest] = path;
  if (key === undefined || !isObject(value)) return false;
  return leadsToUnknown(Reflect.get(value, key), rest);
}

function toFlaws(issue: z.core.$ZodIssue): Flaw[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [{ place: path.join("."), reason: issue.message }];
  return issue.keys.map((key) => ({ place: [...path, key].join("."), reason: "is not an argument" }));
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
