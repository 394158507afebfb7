/** Reads the groups of a resource: a refresh, an import, a lookup. */
import { nameOf } from "../../errors";
import type { JsonObject } from "../../values";
import { accountOf, proveAccount } from "../deployment/account";
import {
  customerIn,
  onGroup,
  onResource,
  subjectOf,
  type Deployment,
  type ResourceContext,
} from "../deployment/context";
import { lookUpGroup, readGroup } from "../group/readGroup";
import { settingConflict } from "../messages/groupErrors";
import { lookupState, parseState, type Shape, type State } from "../state/shapes";
import {
  asSent,
  storedAsAdopted,
  storedAsFound,
  valuesOf,
  type Group,
  type StoredGroup,
} from "../state/storedGroup";
import { eachGroup } from "./eachGroup";
import { isComplete, onlyFailure, unrecordedFailure, warnOfFailures } from "./partialFailure";
import type { StateRequest } from "./remove";

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
  const { resource, id, state } = request;
  if (shape.isOne && (state["token"] == null || state["lookup"] === true))
    return lookUp(shape, request, deployment);
  const former = shape.parseState(id, state);
  const subject = `read ${shape.subject(id)}`;
  return onResource({ resource, subject, location: former }, deployment, async (context) => {
    await proveAccount({ ...former, groups: [...former.groups.values()] }, subject, context);
    const groups = new Map(former.groups);
    await readGroups(shape, groups, context);
    return readResult(shape, id, { ...former, groups }, context);
  });
}

/** A group that the stack doesn't manage, or that another resource of the program has. What an import didn't know stays unknown. */
async function lookUp(shape: Shape, request: ReadRequest, deployment: Deployment): Promise<ReadResult> {
  const { resource, id, isImport = false } = request;
  const { group, stored, unknown, ...former } = parseLookup(shape, request);
  const subject = `read ${shape.subject(id)}`;
  return onResource({ resource, subject, location: former }, deployment, async (context) => {
    // A service that updates existing groups would store the values of a lookup.
    const isRefused = !isImport && context.settings.changes === "update";
    const known = heldGroup(group, context) ?? (isRefused ? stored : undefined);
    if (!known && isRefused) throw settingConflict(subjectOf("read", group.userGroupId, context), "lookup");
    const found = known ?? (await lookUpInService(group, isImport, subject, context));
    const groups = new Map([[id, { ...found, unknown }]]);
    return readResult(shape, id, { ...former, groups, lookup: isImport ? undefined : true }, context);
  });
}

/** The values that the program passes, or that an earlier lookup has sent. */
function parseLookup(shape: Shape, { id, state }: ReadRequest) {
  if (state["token"] == null) {
    const { adopt, connection, overlap, overlapHours, baseUrl, unknown, ...values } = parseState(
      lookupState,
      nameOf({ userGroupId: id }),
      state,
    );
    return {
      adopt,
      connection,
      overlap,
      overlapHours,
      baseUrl,
      unknown,
      stored: undefined,
      group: valuesOf({ ...values, userGroupId: id }),
    };
  }
  const { groups, lookup: _, incomplete: _incomplete, ...others } = shape.parseState(id, state);
  const [stored] = groups.values();
  if (!stored) throw new Error("A UserGroup has no group.");
  return { ...others, stored, unknown: stored.unknown, group: valuesOf(asSent(stored)) };
}

/** Without a request: a resource of the program that has the customer's group. */
function heldGroup(group: Group, context: ResourceContext): StoredGroup | undefined {
  const holders = context.facts.holdersOf(customerIn(context, group));
  const [held] = holders.filter(({ resource }) => resource !== context.resource);
  if (!held) return undefined;
  const { token, name, properties = {}, providedId } = held.group;
  return storedAsAdopted({ ...group, providedId }, { token, name, properties });
}

async function lookUpInService(
  group: Group,
  isImport: boolean,
  subject: string,
  context: ResourceContext,
): Promise<StoredGroup> {
  await proveAccount({ groups: [] }, subject, context);
  const found = await onGroup("read", group.userGroupId, context, (one) => lookUpGroup(group, one));
  if (isImport) return storedAsFound(group, found);
  return storedAsAdopted({ ...group, providedId: group.userGroupId }, found);
}

function readResult(shape: Shape, id: string, state: State, { settings }: ResourceContext): ReadResult {
  const read = { ...state, baseUrl: settings.baseUrl, account: accountOf(settings) };
  return { id, state: shape.stateOf(read), inputs: shape.inputsOf(read) };
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
  if (shape.isOne && !isComplete(failures)) throw onlyFailure(failures).error;
  const isNothingRead = failures.failed.length + failures.untried.length === groups.size;
  if (!isComplete(failures) && isNothingRead) throw unrecordedFailure(failures, "read", groups.size);
  warnOfFailures(failures, context.logger);
}
