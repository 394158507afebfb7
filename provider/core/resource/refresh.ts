/**
 * Reads the groups of a resource by get-or-create: a refresh creates a missing group again; a lookup or an import of a group that the stack
 * doesn't manage must find it.
 */
import { nameOf } from "../../errors";
import type { ReturnedGroup } from "../../service/client";
import { quoted } from "../../text";
import { parse } from "../../validation";
import { propertiesOf, type JsonObject, type Resource } from "../../values";
import {
  inService,
  inTurn,
  type Deployment,
  type GroupContext,
  type ResourceContext,
} from "../deployment/context";
import { keepsGroup } from "../deployment/facts";
import { digestOf, proveCreation, proveState } from "../deployment/proof";
import * as errors from "../messages/groupErrors";
import {
  asShown,
  requestFor,
  storedAsAdopted,
  storedAsFound,
  storedAsRead,
  unknowableFields,
  valuesOf,
  type Group,
  type StoredGroup,
} from "../state/group";
import { lookupState, stateError, type Shape, type State } from "../state/shapes";
import {
  eachGroup,
  type Failures,
  isComplete,
  onlyFailure,
  unrecordedFailure,
  warnOfFailures,
} from "./eachGroup";

/** A request about a resource that has a state. */
export interface StateRequest {
  readonly resource: Resource;
  readonly id: string;
  readonly state: JsonObject;
}

/**
 * `isImport`: the resource takes the group over. Otherwise a state without a token is that of a lookup. `isKept`: no state keeps the resource if
 * it is false, which `pulumi do` reads, and perhaps deletes. Default: true.
 */
export interface ReadRequest extends StateRequest {
  readonly isImport?: boolean;
  readonly isKept?: boolean;
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
  if (shape.isOne && properties["token"] == null) return lookUp(shape, request, undefined, deployment);
  const state = shape.parseState(id, properties);
  if (state.lookup) return lookUp(shape, request, state, deployment);
  const target = { resource, subject: `read ${shape.subject(id)}`, baseUrl: state.baseUrl };
  return inService(target, deployment, async (context) => {
    const { facts } = context;
    await proveState(state, context);
    const groups = new Map(state.groups);
    for (const stored of groups.values()) facts.noteRead(stored, resource);
    const failures = await eachGroup([...groups.values()], context, (stored) =>
      inTurn("read", stored.userGroupId, context, async (one) => {
        groups.set(stored.userGroupId, await readGroup(stored, one));
      }),
    );
    if (!isComplete(failures)) refuseUnlessRead(shape, failures, groups.size, context);
    return readResult(shape, id, { ...state, groups }, context);
  });
}

/** What was read is stored. Errors: partial-failure, if nothing was read; that of the only group. */
function refuseUnlessRead(
  shape: Shape,
  failures: Failures,
  count: number,
  { logger }: ResourceContext,
): void {
  if (shape.isOne) throw onlyFailure(failures);
  if (failures.failed.length + failures.untried.length === count)
    throw unrecordedFailure(failures, "read", count);
  warnOfFailures(failures, logger);
}

/** A missing group is created again. A found token that is known for another ID isn't recorded. Former groups aren't read. */
async function readGroup(stored: StoredGroup, context: GroupContext): Promise<StoredGroup> {
  const { client, warn, facts, resource } = context;
  const result = await client.getOrCreate(requestFor(stored));
  const { token } = result.group;
  if (!result.isNew && token !== stored.token) {
    const other = otherWith(token, stored, context);
    if (other) {
      warn("mixed-up", client.subject, [quoted(other.userGroupId)]);
      return stored;
    }
  }
  if (result.isNew) warn("created-again", client.subject);
  else if (token !== stored.token) warn("token-changed", client.subject);
  const read = storedAsRead(stored, result);
  facts.noteRead(read, resource);
  return read;
}

/** The group for which a state, or this refresh, knows the token. */
function otherWith(token: string, stored: StoredGroup, context: GroupContext): StoredGroup | undefined {
  const known = context.facts.view(context).withToken(token);
  const groups = known.flatMap(({ group }) => [group, ...(group.former ?? [])]);
  return groups.find((each) => each.token === token && each.providedId !== stored.providedId);
}

/**
 * Finds a group that the stack doesn't manage, or that another resource of the program has. `before`: the state of an earlier lookup. What
 * the ID of an import doesn't say isn't known.
 */
async function lookUp(
  shape: Shape,
  { resource, id, state, isImport = false, isKept = true }: ReadRequest,
  before: State | undefined,
  deployment: Deployment,
): Promise<ReadResult> {
  const { group, stored, ...shared } = before ? lookupIn(before) : parseLookup(id, state);
  const target = { resource, subject: `read ${shape.subject(id)}`, baseUrl: shared.baseUrl };
  return inService(target, deployment, async (context) => {
    const { settings, provider, facts } = context;
    // A service that updates existing groups would store the values of a lookup.
    const isRefused = !isImport && settings.changes === "update";
    const known = heldGroup(group, context) ?? (isRefused ? stored : undefined);
    const { userGroupId } = group;
    if (!known && isRefused)
      throw errors.settingConflict({ operation: "read", userGroupId, provider }, "lookup-with-update");
    const found = known ?? (await lookUpInService(group, isImport, context));
    const missing = unknowableFields.filter((field) => !(field in state));
    const notImported = isImport && missing.length > 0 ? missing : undefined;
    const read = { ...found, notImported };
    // The resource option `import`: a resource of this program has got the group.
    if (isImport && isKept) facts.note({ resource, group: read, status: "got" });
    return readResult(
      shape,
      id,
      { ...shared, groups: new Map([[id, read]]), lookup: !isImport || undefined },
      context,
    );
  });
}

/** The values that the program passes, or that the ID of an import says. */
function parseLookup(id: string, state: JsonObject) {
  const {
    adopt,
    overlap,
    overlapHours,
    baseUrl,
    internal: _,
    ...values
  } = parse(lookupState, propertiesOf(state), (issue) => stateError(nameOf({ userGroupId: id }), issue));
  const group = valuesOf({ ...values, userGroupId: id });
  return { adopt, overlap, overlapHours, baseUrl, stored: undefined, group };
}

/** What an earlier lookup has sent. */
function lookupIn({ groups, adopt, overlap, overlapHours, baseUrl }: State) {
  const [stored] = groups.values();
  if (!stored) throw new Error("A UserGroup has no group.");
  return { adopt, overlap, overlapHours, baseUrl, stored, group: valuesOf(stored) };
}

/** Without a request: a resource of the program that has the customer's group, or the group with this ID in the service. */
function heldGroup(group: Group, { facts, resource }: ResourceContext): StoredGroup | undefined {
  const { userGroupId } = group;
  const ofCustomer = facts.of(userGroupId).filter(keepsGroup);
  const held = [...ofCustomer, ...facts.withProvidedId(userGroupId)].find(
    (each) => each.resource !== resource,
  );
  if (!held) return undefined;
  const { token, name, properties = {}, providedId } = asShown(held.group);
  return storedAsAdopted(group, providedId, { token, name, properties });
}

async function lookUpInService(
  group: Group,
  isImport: boolean,
  context: ResourceContext,
): Promise<StoredGroup> {
  await proveCreation([], context);
  const found = await inTurn("read", group.userGroupId, context, (one) => lookUpGroup(group, one));
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
  if (settings.changes === "update" && !isWhole)
    throw errors.settingConflict(client.subject, "import-with-update");
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
  const read = { ...state, baseUrl: settings.baseUrl, credentialsDigest: digestOf(settings) };
  return { id, state: shape.serializeState(read), inputs: shape.inputsOf(read) };
}
