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
import type { z } from "zod";
import { newClient, type Client } from "../client";
import { nameOf, UserGroupError, warn, type Subject } from "../errors";
import {
  findFlaws,
  given,
  ownedRecord,
  parse,
  userGroupArguments,
  userGroupRecord,
  type Flaw,
  type UserGroupArguments,
} from "../schema";
import { checkGivenSettings, readChanges, readSettings } from "../settings";
import { changedFields, identityFields, recordFields, replacingFields } from "./changes";
import { configuration, keepConfiguration } from "./configuration";
import { createGroup, deleteGroup, readGroup, updateGroup } from "./group";

export const userGroup: Required<dynamic.ResourceProvider<unknown, unknown>> = {
  configure({ config }) {
    keepConfiguration(config);
    return Promise.resolve();
  },

  async check(_olds, news) {
    const inputs = given(news);
    checkGivenSettings(configuration, knownConnection(inputs));
    return Promise.resolve({ inputs, failures: toFailures(findFlaws(userGroupArguments, inputs), inputs) });
  },

  async diff(id, olds, news) {
    const [old, wanted] = [given(olds), given(news)];
    const moved = changedFields(identityFields, { ...old, userGroupId: id }, wanted);
    const rewritten = changedFields(replacingFields, old, wanted);
    const replaced = readChanges(configuration, knownConnection(wanted)) === "replace" ? rewritten : [];
    if (moved.length === 0 && replaced.length > 0) warnOfReplacement(id, replaced);
    return Promise.resolve({
      changes: [...moved, ...rewritten, ...changedFields(recordFields, old, wanted)].length > 0,
      replaces: [...moved, ...replaced],
      // Also where nothing changed: a replacement asked for by hand must not delete the group that it just got.
      deleteBeforeReplace: moved.length === 0,
    });
  },

  async create(inputs) {
    const wanted = parseArguments(inputs);
    const { group, adopted } = await createGroup(open("create", wanted), wanted, wanted.adopt ?? true);
    return { id: wanted.userGroupId, outs: { ...group, adopted } };
  },

  async read(id, props) {
    const { token: recordedToken, adopted = true, ...recorded } = parseRecord(userGroupRecord, id, props);
    const { group, isNew } = await readGroup(open("read", recorded), recorded);
    const { token, ...inputs } = group;
    return { id, props: { ...inputs, token, adopted: adopted && !isNew }, inputs };
  },

  async update(id, olds, news) {
    const { token, adopted, ...old } = parseRecord(ownedRecord, id, olds);
    const wanted = parseArguments(news);
    const changes = changedFields(replacingFields, old, wanted);
    const group =
      changes.length === 0
        ? { ...wanted, token }
        : await updateGroup(open("update", wanted), wanted, changes);
    return { outs: { ...group, adopted } };
  },

  async delete(id, props) {
    const record = parseRecord(ownedRecord, id, props);
    await deleteGroup(open("delete", record), record);
  },
};

function open(operation: Subject["operation"], of: Omit<Subject, "operation">): Client {
  const { userGroupId, connection } = of;
  return newClient(readSettings(configuration, connection), { operation, userGroupId, connection });
}

function parseArguments(inputs: unknown): UserGroupArguments {
  return parse(userGroupArguments, given(inputs), ({ place, reason }) => {
    return new UserGroupError("argument-invalid", `The argument ${place} of a user group ${reason}.`);
  });
}

/** The recorded state, or the `state` of a lookup. The ID is the group's, and need not be recorded twice. */
function parseRecord<Recorded>(
  schema: z.ZodType<Recorded>,
  id: string,
  props: unknown,
): Recorded & { userGroupId: string } {
  const record = parse(schema, given(props), ({ place, reason }) => {
    const name = nameOf({ userGroupId: id });
    return new UserGroupError(
      "record-invalid",
      `The state of ${name} can't be used: its ${place} ${reason}.`,
    );
  });
  return { ...record, userGroupId: id };
}

/** The engine prints the value of a property that it finds among the arguments, secret or not: it must find none. */
function toFailures(flaws: Flaw[], inputs: Record<string, unknown>): dynamic.CheckFailure[] {
  return flaws.map(({ place, reason }) =>
    place in inputs ? { property: "", reason: `property ${place} ${reason}` } : { property: place, reason },
  );
}

/** The connection, where it is known and well formed enough to look for its settings. */
function knownConnection({ connection }: Record<string, unknown>): string | undefined {
  return typeof connection === "string" ? connection : undefined;
}

function warnOfReplacement(userGroupId: string, fields: readonly string[]): void {
  warn(
    `${nameOf({ userGroupId })} is deleted and created again, and gets a new token, ` +
      `because its ${fields.join(" and ")} ${fields.length > 1 ? "change" : "changes"}.`,
  );
}
