/** Reads the groups of a resource: a refresh, an import, a lookup. */
import { nameOf } from "../errors";
import { onGroup, onResource, type Deployment, type ResourceContext } from "./deployment";
import type { StoredGroup } from "./drift";
import { eachGroup } from "./eachGroup";
import * as operations from "./group";
import type { ReadState, StateRequest } from "./lifecycle";
import { isComplete, onlyFailure, unrecordedFailure, warnOfFailures } from "./partialFailure";
import { accountOf } from "./services";
import { lookupState, parseState, type Shape, type State } from "./shapes";

/** `mustExist`: see `Lifecycle.read`. */
interface ReadRequest extends StateRequest {
  readonly mustExist?: boolean;
}

export async function readResource(
  shape: Shape,
  request: ReadRequest,
  deployment: Deployment,
): Promise<ReadState> {
  const { resource, id, state } = request;
  if (shape.isOne && state["token"] == null) return lookUp(shape, request, deployment);
  const former = shape.parseState(id, state);
  const target = { resource, subject: `read ${shape.subject(id)}`, location: former };
  return onResource(target, deployment, async (context) => {
    const groups = new Map(former.groups);
    await readGroups(shape, groups, context);
    return readState(shape, id, { ...former, groups }, context);
  });
}

/** A group that the stack doesn't manage. What an import didn't know stays unknown. */
async function lookUp(
  shape: Shape,
  { resource, id, state, mustExist = false }: ReadRequest,
  deployment: Deployment,
): Promise<ReadState> {
  const lookup = parseState(lookupState, nameOf({ userGroupId: id }), state);
  const { adopt, connection, overlap, baseUrl, account, unknown, ...group } = lookup;
  const target = { resource, subject: `read ${shape.subject(id)}`, location: { connection, baseUrl } };
  return onResource(target, deployment, async (context) => {
    const found = await onGroup("read", id, context, (one) =>
      operations.lookUpGroup({ ...group, userGroupId: id }, mustExist, one),
    );
    const groups = new Map([[id, { ...found, unknown }]]);
    return readState(shape, id, { adopt, connection, overlap, groups }, context);
  });
}

function readState(shape: Shape, id: string, groups: State, { settings }: ResourceContext): ReadState {
  const read = { ...groups, baseUrl: settings.baseUrl, account: accountOf(settings) };
  return { id, state: shape.stateOf(read), inputs: shape.inputsOf(read) };
}

/** Replaces each group by what was read. Errors: nothing-found; partial-failure, if nothing was read; that of the only group. */
async function readGroups(
  shape: Shape,
  groups: Map<string, StoredGroup>,
  context: ResourceContext,
): Promise<void> {
  const failures = await eachGroup([...groups.values()], context, (stored) =>
    onGroup("read", stored.userGroupId, context, async (one) => {
      groups.set(stored.userGroupId, await operations.readGroup(stored, one));
    }),
  );
  const stop = failures.failed.find(({ error }) => error.code === "nothing-found")?.error;
  if (stop) throw stop;
  if (shape.isOne && !isComplete(failures)) throw onlyFailure(failures).error;
  const isNothingRead = failures.failed.length + failures.untried.length === groups.size;
  if (!isComplete(failures) && isNothingRead) throw unrecordedFailure(failures, "read", groups.size);
  warnOfFailures(failures, context.logger);
}
