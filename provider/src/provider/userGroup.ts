/**
 * The dynamic provider of `UserGroup`.
 *
 * | operation            | request                                  | effect                                              |
 * | -------------------- | ---------------------------------------- | --------------------------------------------------- |
 * | check, diff          | none                                     | validates; says what a change will do               |
 * | create               | GET (get-or-create)                      | the group is there; its token is recorded           |
 * | read                 | GET (get-or-create)                      | what the service shows is recorded; gone → remade   |
 * | update               | none, or GET with `changes: update`      | the record, or the group and the record, change     |
 * | delete               | DELETE; if refused, GET to see if gone   | the group is gone                                   |
 */
import type { dynamic } from "@pulumi/pulumi";
import { nameOf, warn } from "../errors";
import { given, ownedRecord, userGroupArguments, userGroupRecord } from "../schema";
import { checkGivenSettings, readChanges } from "../settings";
import { failuresOf, parseArguments, parseRecord } from "./border";
import { changedFields, identityFields, recordFields, replacingFields } from "./changes";
import { currentRun, isForecast } from "./claims";
import { addressesOf, configuration, configure, connectionOf, openService } from "./configuration";
import { createGroup, deleteGroup, readGroup, updateGroup } from "./group";
import { warnOfLateMoves } from "./moves";
import { withNotices } from "./notices";

export const userGroup: Required<dynamic.ResourceProvider<unknown, unknown>> = {
  configure,

  async check(olds, news) {
    const inputs = given(news);
    checkGivenSettings(configuration, connectionOf(inputs));
    const { userGroupId } = inputs;
    const wanted = typeof userGroupId === "string" ? [userGroupId] : [];
    warnOfLateMoves(connectionOf(inputs), wanted);
    currentRun()?.noteDeclared(addressesOf(connectionOf(inputs), wanted), given(olds));
    return Promise.resolve({ inputs, failures: failuresOf(userGroupArguments, inputs) });
  },

  async diff(id, olds, news) {
    const [old, wanted] = [given(olds), given(news)];
    const moved = changedFields(identityFields, { ...old, userGroupId: id }, wanted);
    const rewritten = changedFields(replacingFields, old, wanted);
    const replaced = readChanges(configuration, connectionOf(wanted)) === "replace" ? rewritten : [];
    if (isForecast() && moved.length === 0 && replaced.length > 0) warnOfReplacement(id, replaced);
    const own = moved.length === 0 ? addressesOf(connectionOf(wanted), [id]) : [];
    if (replaced.length > 0) currentRun()?.noteRewritten(own);
    else currentRun()?.noteKept(own);
    return Promise.resolve({
      changes: [...moved, ...rewritten, ...changedFields(recordFields, old, wanted)].length > 0,
      replaces: [...moved, ...replaced],
      // Also where nothing changed: a replacement asked for by hand must not delete the group that it just got.
      deleteBeforeReplace: moved.length === 0,
    });
  },

  async create(inputs) {
    const wanted = parseArguments(userGroupArguments, inputs);
    const { group, adopted } = await withNotices((notify) =>
      createGroup(openService(wanted).client("create", wanted), wanted, wanted.adopt ?? true, notify),
    );
    return { id: wanted.userGroupId, outs: { ...group, adopted } };
  },

  async read(id, props) {
    const record = parseRecord(userGroupRecord, nameOf({ userGroupId: id }), props);
    const { token: recordedToken, adopted = true, ...recorded } = { ...record, userGroupId: id };
    const { group, isNew } = await withNotices((notify) =>
      readGroup(openService(recorded).client("read", recorded), recorded, notify),
    );
    const { token, ...inputs } = group;
    return { id, props: { ...inputs, token, adopted: adopted && !isNew }, inputs };
  },

  async update(id, olds, news) {
    const { token, adopted, ...old } = parseRecord(ownedRecord, nameOf({ userGroupId: id }), olds);
    const wanted = parseArguments(userGroupArguments, news);
    const changes = changedFields(replacingFields, old, wanted);
    if (changes.length === 0) return { outs: { ...wanted, token, adopted } };
    const { group, isNew } = await withNotices((notify) =>
      updateGroup(openService(wanted).client("update", wanted), wanted, changes, notify),
    );
    return { outs: { ...group, adopted: adopted && !isNew } };
  },

  async delete(id, props) {
    const record = parseRecord(ownedRecord, nameOf({ userGroupId: id }), props);
    const held = { ...record, userGroupId: id };
    await withNotices((notify) => deleteGroup(openService(held).client("delete", held), held, notify));
  },
};

function warnOfReplacement(userGroupId: string, fields: readonly string[]): void {
  const isPlural = fields.length > 1 || fields.includes("properties");
  warn(
    `${nameOf({ userGroupId })} is deleted and created again, and gets a new token, ` +
      `because its ${fields.join(" and ")} ${isPlural ? "change" : "changes"}.`,
  );
}
