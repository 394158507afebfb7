/** Create, replace and destroy, each killed once with the engine and the provider, on a stack that begins and ends with nothing. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  canKill,
  ProcessKiller,
  packageProgram,
  pluginProgram,
  succeeds,
  tokensOf,
  withFixture,
  type Fixture,
  type Moment,
  type Result,
} from "../../support/engine";
import { noResponse } from "../../support/harness/responseFaults";
import { testInLanes } from "../../support/lanes";

/** Another number gives other rounds. */
const firstSeed = Number(process.env["SEED"] ?? 1);

/** Of three kills each. */
const rounds = 10;

const ids = ["a", "b", "c", "d", "e", "f"].flatMap((id) => [`one-${id}`, `many-${id}`]).sort();

/** How many requests each command sends at the least. */
const requestsOf = { create: ids.length, replace: 2 * ids.length, destroy: ids.length };

const anyMoment = (requests: number): fc.Arbitrary<Moment> =>
  fc.record({ requests: fc.integer({ min: 1, max: requests - 1 }), ms: fc.nat(40) });

const anyRound = fc.record({
  create: anyMoment(requestsOf.create),
  replace: anyMoment(requestsOf.replace),
  destroy: anyMoment(requestsOf.destroy),
});

interface Round extends Readonly<Record<keyof typeof requestsOf, Moment>> {
  /** Whether the engine keeps the state of its run to itself until it ends. */
  readonly skipsCheckpoints: boolean;
  /** Whether the program uses the plugin, instead of the dynamic resources. */
  readonly usesPlugin: boolean;
  readonly overlaps: boolean;
}

describe("kill -9 of engine and provider, at random moments of create, replace and destroy", () => {
  const drawn: readonly Round[] = fc
    .sample(anyRound, { numRuns: rounds, seed: firstSeed })
    .map((round, index) => ({
      ...round,
      skipsCheckpoints: index % 2 === 1,
      usesPlugin: index % 5 > 2,
      overlaps: index % 3 > 1,
    }));
  testInLanes(drawn, {
    lanes: 2,
    title: (round) => `lose nothing where they are ${JSON.stringify(round)} (seed ${firstSeed})`,
    test: play,
    isSkipped: !canKill,
  });
});

function play(round: Round): Promise<void> {
  const killer = new ProcessKiller();
  const log = () => {
    killer.onRequest();
  };
  const env = {
    ...killer.env,
    USER_GROUPS_MAX_CONNECTIONS: "4",
    ...(round.skipsCheckpoints && { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" }),
  };
  const programOf = (name: string) =>
    (round.usesPlugin ? pluginProgram : packageProgram)(declaring(name, round.overlaps));
  // A change with overlap deletes nothing.
  const requests = { ...requestsOf, ...(round.overlaps && { replace: ids.length }) };
  const flags = ["--parallel", "4"];

  return withFixture(
    () => ({ program: programOf("Tenant"), env }),
    { latency: 20, log },
    async (fixture) => {
      const { stack, emulator } = fixture;
      /** The last request gets no response, so that the run isn't over before its kill, which a busy machine may delay. */
      const killed = async (command: keyof typeof requestsOf, run: () => Promise<Result>) => {
        emulator.fault({ ...noResponse(), skip: requests[command] - 1, times: Infinity });
        const moment = {
          ...round[command],
          requests: Math.min(round[command].requests, requests[command] - 1),
        };
        const { code, output } = await killer.during(moment, run);
        emulator.clearFaults();
        assert.equal(code, null, `The run wasn't killed:\n${output}`);
        await stack.recover();
      };

      await killed("create", () => stack.up({ flags }));
      const created = tokensOf(emulator);
      await converges(fixture, "Tenant");
      const tokens = tokensOf(emulator);
      assert.deepEqual({ ...tokens, ...created }, tokens, "A group that was there has another token");
      await stack.program(programOf("Renamed"));
      await killed("replace", () => stack.up({ flags }));
      await converges(fixture, "Renamed");
      await killed("destroy", () => stack.destroy({ flags }));
      const refreshed = await stack.destroy({ flags: ["--refresh"] });
      // A refresh that finds no group at all stops. Then a destroy without it ends the former one.
      if (refreshed.output.includes("[nothing-found]")) succeeds(await stack.destroy());
      else succeeds(refreshed);
      assert.deepEqual([...emulator.groups.keys()], []);
      assert.deepEqual(await stack.resources(), []);
    },
  );
}

/** The next up makes service, state and program equal. */
async function converges({ stack, emulator }: Fixture, name: string): Promise<void> {
  const first = await stack.up();
  // A token that the killed command has replaced is out of date. The error says that a refresh comes first.
  if (/[Rr]un pulumi refresh, then run the same command again/.test(first.output)) {
    succeeds(await stack.refresh());
    succeeds(await stack.up());
  } else succeeds(first);
  // Deletes former groups of overlap, if there are any.
  succeeds(await stack.up());
  const tokens = Object.entries(tokensOf(emulator)).map(([id, token]): [string, string] => [
    id.replace(/~.*/, ""),
    token,
  ]);
  assert.deepEqual(tokens.map(([id]) => id).sort(), ids);
  for (const group of emulator.groups.values()) assert.equal(group.name, name);
  assert.deepEqual(await stack.plainOutputs(), { tokens: Object.fromEntries(tokens) });
}

function declaring(name: string, overlap: boolean): string {
  return `
    const { all } = pulumi;
    const ids = ${JSON.stringify(ids)};
    const [ones, manies] = ["one", "many"].map((kind) => ids.filter((id) => id.startsWith(kind)));
    const groups = Object.fromEntries(manies.map((id) => [id, { name: "${name}" }]));
    const many = new UserGroups("many", { groups, overlap: ${overlap}, overlapHours: 0 });
    const one = ones.map((id) => [id, new UserGroup(id, { userGroupId: id, name: "${name}", overlap: ${overlap}, overlapHours: 0 }).token]);
    exports.tokens = all([many.tokens, Object.fromEntries(one)]).apply(([some, others]) => ({ ...some, ...others }));
  `;
}
