/** The arguments of both resources. Types and the plugin's schema derive from these zod schemas. */
import * as z from "zod";
import { closedObject, required } from "../validation";
import { isDeeperThan, isObject, maxDepth, signatureKey, textIssue, tooDeep, withoutNulls } from "../values";

/**
 * A response repeats ID, name and properties, and one over 1 MiB is refused (service/http/body.ts). The limits leave room
 * for the token. A service may write each character beyond ASCII with six.
 */
const maxTextBytes = 110_000;
const maxPropertiesBytes = 800_000;

function hasAtMost(bytes: number): (value: unknown) => boolean {
  return (value) => JSON.stringify(value).replace(/[^\x20-\x7e]/g, "\\uffff").length <= bytes;
}

const anyText = z.string({ error: required("must be a string") }).superRefine((value, context) => {
  const message = textIssue(value);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

const text = anyText
  .min(1, "must not be empty")
  .refine(hasAtMost(maxTextBytes), "must have at most 110,000 bytes, because larger responses are refused");
/** The end of an ID that `overlap` gives a group (rotation/overlap.ts): `~` and a digest. */
export const derivedEnd = /~[0-9a-f]{8}$/;

/** Another ID can be the derived one of another customer, whose token this one would get. */
const customerId = text.refine(
  (id) => !derivedEnd.test(id),
  "must not end in ~ and eight hexadecimal digits, as the IDs that overlap gives groups of other customers",
);
const flag = z.boolean("must be true or false");

/** Assets and resources arrive as objects with the engine's signature. */
const unsigned = z.unknown().refine((value) => !(isObject(value) && Object.hasOwn(value, signatureKey)), {
  message: "must be JSON",
  abort: true,
});

/** Whole numbers beyond 2^53 arrive rounded. In a mapping, they would name another data source. */
function isExact(value: string | number): boolean {
  return typeof value === "string" || !Number.isInteger(value) || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

const inexact = "must not be a number beyond 2^53, which isn't exact: pass it as a string";

const exactNumber = z.number().refine(isExact, inexact);

/** Like `z.json`, which allows no message of one's own. */
const jsonValue: z.ZodType<z.core.util.JSONType> = z.lazy(() =>
  z.union([anyText, exactNumber, z.boolean(), z.null(), z.array(jsonValue), jsonObject], "must be JSON"),
);
const jsonObject = objectOf(jsonValue);

function objectOf<Value extends z.ZodType>(value: Value, message?: string) {
  const object = z.record(z.string(), value, message);
  return unsigned.pipe(
    object.superRefine((parts, context) => {
      for (const message of Object.keys(parts).map(textIssue))
        if (message !== undefined) context.addIssue({ code: "custom", message });
    }),
  );
}

/** Checked before all else, because everything else reads values by recursion. */
const shallow = z
  .unknown()
  .refine((value) => !isDeeperThan(maxDepth, value), { message: tooDeep, abort: true });

const groupFields = {
  name: text,
  mapping: objectOf(
    z.union([anyText, z.number()], "must be a string or a number").refine(isExact, inexact),
    "must be an object of schema ID to data source",
  ).optional(),
  properties: shallow
    .pipe(
      objectOf(jsonValue, "must be an object").refine(
        hasAtMost(maxPropertiesBytes),
        "must have at most 800,000 bytes, because larger responses are refused",
      ),
    )
    .optional(),
  dataSourceProvidedId: text.optional(),
  keepers: objectOf(anyText, "must be an object of strings").optional(),
};

// The end of the time is a date, which has limits.
const overlapHours = z
  .number("must be a number")
  .min(0, "must not be negative")
  .max(1_000_000, "must be at most 1,000,000")
  .optional();

const sharedArguments = {
  adopt: flag.optional(),
  overlap: flag.optional(),
  overlapHours,
};

export const userGroupArguments = closedObject({
  userGroupId: customerId,
  ...groupFields,
  ...sharedArguments,
});

/** The values of one group in the ID of an import, or in the source of import-file, with any ID. */
export const groupArguments = userGroupArguments
  .omit({ adopt: true, overlap: true, overlapHours: true })
  .extend({ userGroupId: text });

const groupEntry = z.preprocess(
  (value) => (isObject(value) ? withoutNulls(value) : value),
  closedObject({ ...groupFields, overlapHours }, "must be an object"),
);

export const userGroupsArguments = closedObject({
  groups: z.record(customerId, groupEntry, "must be an object of userGroupId to group"),
  ...sharedArguments,
  removed: z.enum(["delete", "retain"], 'must be "delete" or "retain"').optional(),
  deletionLimit: z.int("must be a whole number").min(0, "must not be negative").optional(),
});

/** The IDs with a number in exponent notation, such as `cust-1.10717590588e+11`: YAML programs make them of long numbers, rounded. */
export function exponentIds(ids: readonly string[]): string[] {
  return ids.filter((id) => /(?<![\d.])\d(\.\d+)?e\+\d/i.test(id));
}
