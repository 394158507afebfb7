/** The outputs that a preview shows. Values that only the service knows are unknown. */
import { changedFields, keeperFields, replacingFields } from "../core/changes";
import { isEqual, isObject, own, unknownValue, type JsonObject } from "../values";

/** `olds`: the outputs in the state; undefined for a new resource. */
export type Preview = (news: JsonObject, olds?: JsonObject) => JsonObject;

export const previewUserGroup: Preview = (news, olds) => {
  const isKept = olds !== undefined && isSameGroup(olds, news);
  const { token, adopted, baseUrl } = { ...unknowns, ...(isKept && olds) };
  return { ...news, token, adopted, baseUrl };
};

export const previewUserGroups: Preview = (news, olds = {}) => {
  const [wanted, stored, tokens] = [news["groups"], objectIn(olds, "groups"), objectIn(olds, "tokens")];
  if (!isObject(wanted)) return { ...news, ...unknowns, tokens: unknownValue };
  const known = Object.entries(wanted).map(([userGroupId, group]): [string, unknown] => {
    const isKept = isObject(group) && isSameGroup(objectIn(stored, userGroupId), group);
    return [userGroupId, isKept ? (tokens[userGroupId] ?? unknownValue) : unknownValue];
  });
  const isAllKept =
    known.every(([, token]) => token !== unknownValue) &&
    isEqual(Object.keys(wanted).sort(), Object.keys(stored).sort());
  const { adopted, baseUrl } = { ...unknowns, ...(isAllKept && olds) };
  return { ...news, tokens: Object.fromEntries(known), adopted, baseUrl };
};

const unknowns = { token: unknownValue, adopted: unknownValue, baseUrl: unknownValue };

/** Whether the change sends no request, so the token stays. */
function isSameGroup(old: JsonObject, wanted: JsonObject): boolean {
  return changedFields([...replacingFields, ...keeperFields], old, wanted).length === 0;
}

function objectIn(properties: JsonObject, key: string): JsonObject {
  const value = own(properties, key);
  return isObject(value) ? value : {};
}
