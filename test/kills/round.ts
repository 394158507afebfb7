/** Create, replace and destroy, each killed once, on a stack of its own, which begins and ends with nothing. */
import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../provider/src/testing";
import {
  ProcessKiller,
  newStack,
  packageProgram,
  pluginProgram,
  succeeds,
  tokensOf,
  type Environment,
  type Moment,
  type Program,
  type Result,
  type Stack,
} from "../engine/harness";
import { noResponse } from "../harness/responseFaults";

export interface Round {
  readonly create: Moment;
  readonly replace: Moment;
  readonly destroy: Moment;
  /** Whether the engine keeps the state of its run to itself until it ends, PULUMI_SKIP_CHECKPOINTS. */
  readonly skipsCheckpoints: boolean;
  /** Whether the program uses the plugin, instead of the dynamic resources. */
  readonly usesPlugin: boolean;
}

const ids = ["a", "b", "c", "d", "e", "f"].flatMap((id) => [`one-${id}`, `many-${id}`]).sort();

/** How many requests each command sends at the least. */
export const requestsOf = { create: ids.length, replace: 2 * ids.length, destroy: ids.length };

/** Requests that are under way at once, at the most. */
const parallel = 4;

export async function play(round: Round): Promise<void> {
  const killer = new ProcessKiller();
  const emulator = await startEmulator({
    latency: 20,
    log: () => {
      killer.onRequest();
    },
  });
  let stack: Stack | undefined;
  try {
    const env = { ...killer.env, ...environmentFor(round) };
    stack = await newStack({ emulator, env, program: programOf("Tenant", round) });
    await playOn({ stack, emulator, killer }, round);
  } finally {
    await stack?.remove();
    await emulator.stop();
  }
}

interface Running {
  readonly stack: Stack;
  readonly emulator: Emulator;
  readonly killer: ProcessKiller;
}

async function playOn(running: Running, round: Round): Promise<void> {
  const { stack, emulator } = running;
  const flags = ["--parallel", String(parallel)];
  await killed(running, "create", round.create, () => stack.up({ flags }));
  const made = tokensOf(emulator);
  await converges(running, "Tenant");
  for (const [id, token] of Object.entries(made))
    assert.equal(tokensOf(emulator)[id], token, `The group "${id}", which was there, has another token`);
  await stack.program(programOf("Renamed", round));
  await killed(running, "replace", round.replace, () => stack.up({ flags }));
  await converges(running, "Renamed");
  await killed(running, "destroy", round.destroy, () => stack.destroy({ flags }));
  const refreshed = await stack.destroy({ flags: ["--refresh"] });
  // A refresh that finds no group at all stops. Then a destroy without it ends the former one.
  if (refreshed.output.includes("[nothing-found]")) succeeds(await stack.destroy());
  else succeeds(refreshed);
  assert.deepEqual([...emulator.groups.keys()], []);
  assert.deepEqual(await stack.resources(), []);
}

/** The last request gets no response, so that the run isn't over before its kill, which a busy machine may delay. */
async function killed(
  { stack, emulator, killer }: Running,
  command: keyof typeof requestsOf,
  moment: Moment,
  run: () => Promise<Result>,
): Promise<void> {
  emulator.fault({ ...noResponse(), skip: requestsOf[command] - 1, times: Infinity });
  const { code, output } = await killer.during(moment, run);
  emulator.clearFaults();
  assert.equal(code, null, `The run wasn't killed:\n${output}`);
  await stack.recover();
}

/** The next up makes service, state and program equal. */
async function converges({ stack, emulator }: Running, name: string): Promise<void> {
  const first = await stack.up();
  // A token that the killed command has replaced is out of date. The error says that a refresh comes first.
  if (/[Rr]un pulumi refresh, then run the same command again/.test(first.output)) {
    succeeds(await stack.refresh());
    succeeds(await stack.up());
  } else succeeds(first);
  assert.deepEqual([...emulator.groups.keys()].sort(), ids);
  assert.deepEqual([...new Set([...emulator.groups.values()].map((group) => group.name))], [name]);
  assert.deepEqual(await stack.plainOutputs(), { tokens: tokensOf(emulator) });
}

function environmentFor({ skipsCheckpoints }: Round): Environment {
  return {
    USER_GROUPS_MAX_CONNECTIONS: String(parallel),
    ...(skipsCheckpoints && { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" }),
  };
}

function programOf(name: string, { usesPlugin }: Round): Program {
  const text = `
    const { all } = pulumi;
    const ids = ${JSON.stringify(ids)};
    const [ones, manies] = ["one", "many"].map((kind) => ids.filter((id) => id.startsWith(kind)));
    const groups = Object.fromEntries(manies.map((id) => [id, { name: "${name}" }]));
    const many = new UserGroups("many", { groups });
    const one = ones.map((id) => [id, new UserGroup(id, { userGroupId: id, name: "${name}" }).token]);
    exports.tokens = all([many.tokens, Object.fromEntries(one)]).apply(([some, others]) => ({ ...some, ...others }));
  `;
  return usesPlugin ? pluginProgram(text) : packageProgram(text);
}
