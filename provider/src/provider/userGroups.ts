/**
 * The dynamic provider of `UserGroups`: what `userGroup.ts` does, for many groups in one resource. For each group:
 *
 * | operation   | request                                                                                     |
 * | ----------- | ------------------------------------------------------------------------------------------- |
 * | check, diff | none                                                                                        |
 * | create      | GET                                                                                         |
 * | read        | GET                                                                                         |
 * | update      | added: GET; removed: DELETE; changed: DELETE and GET, or GET with `changes: update`         |
 * | delete      | DELETE                                                                                      |
 */
import type { dynamic } from "@pulumi/pulumi";
import { given, isObject, userGroupsArguments, userGroupsRecord } from "../schema";
import { checkGivenSettings, readChanges } from "../settings";
import { failuresOf, parseArguments, parseRecord } from "./border";
import { carryOut } from "./carryOut";
import { changedFields } from "./changes";
import { currentRun, isForecast } from "./claims";
import { addressesOf, configuration, configure, connectionOf, openService } from "./configuration";
import { eachGroup } from "./eachGroup";
import { deleteGroup, readGroup } from "./group";
import { Ledger } from "./ledger";
import { warnOfLateMoves } from "./moves";
import { withNotices } from "./notices";
import {
  enforceDeletionLimit,
  forecast,
  idsWith,
  keepingFates,
  planMove,
  planSteps,
  type Step,
} from "./plan";
import { orUnfinished, unrecorded } from "./unfinished";

/** The physical ID: the service knows nothing of this kind, and the groups have IDs of their own. */
const resourceId = "user-groups";

/** A change of these is one of the record only. */
const recordArguments = ["adopt", "removed", "deletionLimit"] as const;

/** How messages name the record. */
const recordName = "these user groups";

export const userGroups: Required<dynamic.ResourceProvider<unknown, unknown>> = {
  configure,

  async check(olds, news) {
    const inputs = given(news);
    checkGivenSettings(configuration, connectionOf(inputs));
    const userGroupIds = isObject(inputs["groups"]) ? Object.keys(inputs["groups"]) : [];
    warnOfLateMoves(connectionOf(inputs), userGroupIds);
    currentRun()?.noteDeclared(addressesOf(connectionOf(inputs), userGroupIds), given(olds));
    return Promise.resolve({ inputs, failures: failuresOf(userGroupsArguments, inputs) });
  },

  async diff(_id, olds, news) {
    const [old, wanted] = [given(olds), given(news)];
    const moved = changedFields(["connection"], old, wanted);
    const steps = stepsOf(old, wanted, moved.length > 0);
    if (isForecast()) {
      enforceDeletionLimit(steps, wanted["deletionLimit"]);
      forecast(steps);
    }
    if (moved.length === 0) noteFates(connectionOf(wanted), steps);
    const isChanged = steps.some(({ fate }) => fate !== "keep") || !isObject(wanted["groups"]);
    return Promise.resolve({
      changes: isChanged || [...moved, ...changedFields(recordArguments, old, wanted)].length > 0,
      replaces: moved,
    });
  },

  async create(inputs) {
    const wanted = parseArguments(userGroupsArguments, inputs);
    const ledger = new Ledger();
    const failures = await carryOut(ledger, wanted, openService(wanted));
    if (failures.failed.length > 0 && ledger.groups.length === 0) throw unrecorded(failures, "create");
    return {
      id: resourceId,
      outs: orUnfinished(failures, "create", resourceId, inputs, ledger.outputs(wanted)),
    };
  },

  async read(id, props) {
    const record = parseRecord(userGroupsRecord, recordName, props);
    const ledger = Ledger.of(record);
    const { settings, client } = openService(record);
    const failures = await withNotices((notify) =>
      eachGroup(ledger.groups, settings.maxConnections, async (recorded) => {
        const { group, isNew } = await readGroup(client("read", recorded), recorded, notify);
        ledger.put(group, ledger.isAdopted(group.userGroupId) && !isNew);
      }),
    );
    if (failures.failed.length > 0) throw unrecorded(failures, "read");
    return { id, props: ledger.outputs(record), inputs: ledger.inputs(record) };
  },

  async update(id, olds, news) {
    const wanted = parseArguments(userGroupsArguments, news);
    const ledger = Ledger.of(parseRecord(userGroupsRecord, recordName, olds));
    const failures = await carryOut(ledger, wanted, openService(wanted));
    return { outs: orUnfinished(failures, "update", id, news, ledger.outputs(wanted)) };
  },

  async delete(_id, props) {
    const record = parseRecord(userGroupsRecord, recordName, props);
    const { settings, client } = openService(record);
    const failures = await withNotices((notify) =>
      eachGroup(Ledger.of(record).groups, settings.maxConnections, (group) =>
        deleteGroup(client("delete", group), group, notify),
      ),
    );
    if (failures.failed.length > 0) throw unrecorded(failures, "delete");
  },
};

function noteFates(connection: string | undefined, steps: readonly Step[]): void {
  currentRun()?.noteKept(addressesOf(connection, idsWith(keepingFates, steps)));
  if (isForecast()) currentRun()?.noteLeaving(addressesOf(connection, idsWith(["delete"], steps)));
}

/** Of a map that isn't known yet nothing can be said. */
function stepsOf(
  old: Record<string, unknown>,
  { groups, removed, connection }: Record<string, unknown>,
  isMoved: boolean,
): Step[] {
  if (isMoved) return planMove(old["groups"], groups, connection);
  const changes = readChanges(configuration, connectionOf({ connection }));
  return isObject(groups) ? planSteps(old["groups"], groups, { changes, removed }) : [];
}
