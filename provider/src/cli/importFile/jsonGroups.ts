/** Groups in a JSON object of userGroupId → `{ name, token, mapping?, properties?, dataSourceProvidedId?, keepers? }`. */
import * as z from "zod";
import { userGroupArguments } from "../../core/arguments";
import { required } from "../../validation";
import { isObject, type JsonObject } from "../../values";
import { adoptedGroup } from "./coreState";
import { group, invalid, type Reading } from "./foundGroup";

const token = z.string({ error: required("must be a string") }).min(1, "must not be empty");

const entry = userGroupArguments.omit({ adopt: true, connection: true }).extend({ token });

/** `text`: the JSON of `source`, which shows keys that are there twice. */
export function groupsInJson(source: JsonObject, text: string): Reading[] {
  const seen = new Set<string>();
  const twice = keysIn(text).filter((path) => seen.size === seen.add(JSON.stringify(path)).size);
  return [
    ...twice.map(([userGroupId, field]) => {
      const reason =
        field === undefined ? "is in the file twice" : `has the field ${JSON.stringify(field)} twice`;
      return invalid(JSON.stringify(userGroupId), reason);
    }),
    ...Object.entries(source).map(([userGroupId, values]) => groupIn(userGroupId, values)),
  ];
}

function groupIn(userGroupId: string, values: unknown): Reading {
  const place = JSON.stringify(userGroupId);
  if (!isObject(values)) return invalid(place, "must be an object with name and token");
  const { data, error } = entry.safeParse({ ...values, userGroupId });
  if (data)
    return group({
      place,
      group: adoptedGroup(data, data.mapping !== undefined),
      isMappingKnown: data.mapping !== undefined,
    });
  const issue = error.issues[0];
  if (issue?.code === "unrecognized_keys")
    return invalid(place, `has the unknown field ${JSON.stringify(issue.keys[0])}`);
  return invalid(place, `is invalid: its ${issue?.path.join(".")} ${issue?.message}`);
}

const keyOrBracket = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{[]|[}\]]/g;

/**
 * The IDs in the text, each followed by its fields: `["acme"]`, `["acme", "name"]`. `JSON.parse` keeps only the last one of
 * equal keys.
 */
function keysIn(text: string): (readonly [userGroupId: string, field?: string])[] {
  let depth = 0;
  let userGroupId = "";
  const keys: (readonly [string, string?])[] = [];
  for (const [token, string, isKey] of text.matchAll(keyOrBracket)) {
    if (string === undefined) {
      depth += "{[".includes(token) ? 1 : -1;
      continue;
    }
    if (isKey === undefined) continue;
    const key = String(JSON.parse(string));
    if (depth === 1) {
      userGroupId = key;
      keys.push([userGroupId]);
    } else if (depth === 2) keys.push([userGroupId, key]);
  }
  return keys;
}
