/**
 * Reads the groups of a resource by get-or-create: a refresh creates a missing group again; a lookup or an import of a group that the stack
 * doesn't manage must find it.
 */
import { nameOf } from "../../errors";
import type { ReturnedGroup } from "../../service/client";
import { readPartialSettings } from "../../settings/readSettings";
import { quoted } from "../../text";
import { parse } from "../../validation";
import { propertiesOf, type JsonObject, type Resource } from "../../values";
import { accountOf, proveAccount } from "../deployment/account";
import {
  onGroup,
  onResource,
  type Deployment,
  type GroupContext,
  type ResourceContext,
} from "../deployment/context";
import { customerOf, isHeld } from "../deployment/facts";
import * as errors from "../messages/groupErrors";
import { lookupState, stateError, type Shape, type State } from "../state/shapes";
import {
  asSent,
  requestFor,
  storedAsAdopted,
  storedAsFound,
  storedAsRead,
  valuesOf,
  type Group,
  type StoredGroup,
} from "../state/group";
import { eachGroup, isComplete, onlyFailure, unrecordedFailure, warnOfFailures } from "./eachGroup";

/** A request about a resource that has a state. */
export interface StateRequest {
  readonly resource: Resource;
  readonly id: string;
  readonly state: JsonObject;
}

/** `isImport`: the resource takes the group over. Otherwise a state without a token is that of a lookup. */
export interface ReadRequest extends StateRequest {
  readonly isImport?: boolean;
}

export interface ReadResult {
  readonly id: string;
  readonly state: JsonObject;
  readonly inputs: JsonObject;
}

export async function readResource(
  shape: Shape,
  request: ReadRequest,
  deployment: Deployment,
): Promise<ReadResult> {
  const { resource, id, state: properties } = request;
  if (shape.isOne && (properties["token"] == null || properties["lookup"] === true))
    return lookUp(shape, request, deployment);
  const state = shape.parseState(id, properties);
  const subject = `read ${shape.subject(id)}`;
  const settings = readPartialSettings(deployment.sources, state.connection);
  const { connection, baseUrl } = state;
  const target = { resource, subject, connection, baseUrl, settings };
  return onResource(target, deployment, async (context) => {
    await proveAccount([...state.groups.values()], state.account, subject, context);
    const groups = new Map(state.groups);
    for (const stored of groups.values()) context.facts.noteRead(stored, context);
    await readGroups(shape, groups, context);
    return readResult(shape, id, { ...state, groups }, context);
  });
}

/** Replaces each group by what was read. Errors: partial-failure, if nothing was read; that of the only group. */
async function readGroups(
  shape: Shape,
  groups: Map<string, StoredGroup>,
  context: ResourceContext,
): Promise<void> {
  const failures = await eachGroup([...groups.values()], context, (stored) =>
    onGroup("read", stored.userGroupId, context, async (one) => {
      groups.set(stored.userGroupId, await readGroup(stored, one));
    }),
  );
  if (isComplete(failures)) return;
  if (shape.isOne) throw onlyFailure(failures);
  const isNothingRead = failures.failed.length + failures.untried.length === groups.size;
  if (isNothingRead) throw unrecordedFailure(failures, "read", groups.size);
  warnOfFailures(failures, context.logger);
}

/** A missing group is created again. A found token that is known for another ID isn't recorded. Former groups aren't read. */
async function readGroup(stored: StoredGroup, context: GroupContext): Promise<StoredGroup> {
  const { client, warn } = context;
  const result = await client.getOrCreate(requestFor(stored));
  const { token } = result.group;
  if (!result.isNew && token !== stored.token) {
    const other = otherWith(token, stored, context);
    if (other) {
      warn("wrong-group", client.subject, [quoted(other.userGroupId)]);
      return stored;
    }
  }
  if (result.isNew) warn("created-again", client.subject);
  else if (token !== stored.token) warn("token-changed", client.subject);
  const read = storedAsRead(stored, result);
  context.facts.noteRead(read, context);
  return read;
}

/** The group for which a state, or this refresh, knows the token. */
function otherWith(token: string, stored: StoredGroup, context: GroupContext): StoredGroup | undefined {
  const { address, withToken } = context.facts.view(context);
  const known = withToken(token).filter((each) => each.address === address);
  const groups = known.flatMap(({ group }) => [group, ...(group.former ?? [])]);
  return groups.find((each) => each.token === token && each.providedId !== stored.providedId);
}

/** A group that the stack doesn't manage, or that another resource of the program has. What an import didn't know stays unknown. */
async function lookUp(shape: Shape, request: ReadRequest, deployment: Deployment): Promise<ReadResult> {
  const { resource, id, isImport = false } = request;
  const { group, stored, unknown, ...shared } = parseLookup(shape, request);
  const subject = `read ${shape.subject(id)}`;
  const { connection, baseUrl } = shared;
  const settings = readPartialSettings(deployment.sources, connection);
  return onResource({ resource, subject, connection, baseUrl, settings }, deployment, async (context) => {
    // A service that updates existing groups would store the values of a lookup.
    const isRefused = !isImport && settings.changes === "update";
    const known = heldGroup(group, context) ?? (isRefused ? stored : undefined);
    if (!known && isRefused)
      throw errors.settingConflict(
        { operation: "read", userGroupId: group.userGroupId, connection, provider: context.sources.provider },
        "lookup",
      );
    const found = known ?? (await lookUpInService(group, isImport, subject, context));
    const groups = new Map([[id, { ...found, unknown }]]);
    return readResult(shape, id, { ...shared, groups, lookup: isImport ? undefined : true }, context);
  });
}

/** The values that the program passes, or that an earlier lookup has sent. */
function parseLookup(shape: Shape, { id, state }: ReadRequest) {
  if (state["token"] == null) {
    const { adopt, connection, overlap, overlapHours, baseUrl, unknown, ...values } = parse(
      lookupState,
      propertiesOf(state),
      (issue) => stateError(nameOf({ userGroupId: id }), issue),
    );
    const group = valuesOf({ ...values, userGroupId: id });
    return { adopt, connection, overlap, overlapHours, baseUrl, unknown, stored: undefined, group };
  }
  const { groups, lookup: _, incomplete: _incomplete, ...others } = shape.parseState(id, state);
  const [stored] = groups.values();
  if (!stored) throw new Error("A UserGroup has no group.");
  return { ...others, stored, unknown: stored.unknown, group: valuesOf(asSent(stored)) };
}

/** Without a request: a resource of the program that has the customer's group, or the group with this ID in the service. */
function heldGroup(group: Group, context: ResourceContext): StoredGroup | undefined {
  const { facts, settings, resource, connection } = context;
  const ofCustomer = facts.of(customerOf(connection, group.userGroupId)).filter(isHeld);
  const all = [...ofCustomer, ...facts.withProvidedId(settings.baseUrl, group.userGroupId)];
  const held = all.find((each) => each.resource !== resource);
  if (!held) return undefined;
  const { token, name, properties = {}, providedId } = held.group;
  return storedAsAdopted(group, providedId, { token, name, properties });
}

async function lookUpInService(
  group: Group,
  isImport: boolean,
  subject: string,
  context: ResourceContext,
): Promise<StoredGroup> {
  await proveAccount([], undefined, subject, context);
  const found = await onGroup("read", group.userGroupId, context, (one) => lookUpGroup(group, one));
  return isImport ? storedAsFound(group, found) : storedAsAdopted(group, group.userGroupId, found);
}

/**
 * The group must exist: one that the request creates is deleted again. One that was found after a lost attempt may be our own. Error:
 * no-such-group.
 */
async function lookUpGroup(group: Group, context: GroupContext): Promise<ReturnedGroup> {
  const { client, settings } = context;
  // A service that updates existing groups would store a request without these as none.
  const isWhole = group.mapping !== undefined && group.properties !== undefined;
  if (settings.changes === "update" && !isWhole) throw errors.settingConflict(client.subject, "import");
  const { group: found, isNew, isPossiblyApplied } = await client.getOrCreate(group);
  if (isNew) {
    const { dataSourceProvidedId, userGroupId: providedId } = group;
    const isCleanedUp = await client.cleanUp({ providedId, token: found.token, dataSourceProvidedId });
    throw errors.noSuchGroup(client.subject, isCleanedUp);
  }
  const isKnown = context.facts.view(context).withToken(found.token).length > 0;
  if (isPossiblyApplied && !isKnown) throw errors.possiblyCreated(client.subject);
  return found;
}

function readResult(shape: Shape, id: string, state: State, { settings }: ResourceContext): ReadResult {
  const read = { ...state, baseUrl: settings.baseUrl, account: accountOf(settings) };
  return { id, state: shape.stateOf(read), inputs: shape.inputsOf(read) };
}
