import assert from "node:assert/strict";
import type { Account, Emulator } from "../../provider/testing";
import { effectsOf, tokensOf } from "../support/harness/providers";
import { groupsOf, type GroupState } from "../support/model/groups";
import { secretsOf, type ResourceState } from "../support/model/resources";
import type { Program, Run, RunOptions, Settings, Stack } from "./drivers";

/** The programs and the service of one test. A preview is checked to make no request, without an API token. */
export class StackContext {
  readonly settings: Settings;

  constructor(
    readonly stack: Stack,
    readonly emulator: Emulator,
    /** Another service, with the same API token. */
    readonly other: Emulator,
    settings: Settings = {},
  ) {
    this.settings = { baseUrl: emulator.baseUrl, apiToken: emulator.apiToken, timeout: "5", ...settings };
  }

  /** Requests have the API token of another account from now on. */
  enterOtherAccount(): Account {
    const account = this.emulator.addAccount();
    this.settings["apiToken"] = account.apiToken;
    return account;
  }

  /** From now on the service applies each get-or-create, and no response arrives. */
  loseResponses(): void {
    this.settings["timeout"] = "1";
    this.emulator.fault({ kind: "drop", when: "after", method: "GET", times: Infinity });
  }

  /** Ends faults and lost responses. */
  heal(): void {
    this.emulator.clearFaults();
    this.requests();
    this.settings["timeout"] = "5";
  }

  async preview(program: Program): Promise<Run> {
    const { apiToken, ...settings } = this.settings;
    const former = this.emulator.requests.length;
    const run = await this.stack.run("preview", { settings, program });
    assert.equal(this.emulator.requests.length, former, "A preview made requests");
    return run;
  }

  up(program: Program, options: Omit<RunOptions, "settings" | "program"> = {}): Promise<Run> {
    return this.stack.run("up", { ...options, settings: this.settings, program });
  }

  refresh(): Promise<Run> {
    return this.stack.run("refresh", { settings: this.settings });
  }

  destroy(): Promise<Run> {
    return this.stack.run("destroy", { settings: this.settings });
  }

  /** A successful up. */
  async applies(program: Program): Promise<Run> {
    return succeeds(await this.up(program));
  }

  /** Whether a preview of the program plans no change. */
  async isUpToDate(program: Program): Promise<boolean> {
    const { changes } = succeeds(await this.preview(program));
    return Object.values(changes).every((change) => change === "same");
  }

  async resources(): Promise<readonly ResourceState[]> {
    return this.stack.resources();
  }

  /** The one resource of that name. */
  async resource(name: string): Promise<ResourceState> {
    const found = (await this.resources()).filter((each) => each.name === name);
    assert.equal(found.length, 1, `${found.length} resources "${name}"`);
    return found[0] ?? assert.fail();
  }

  /** The names of the secret outputs of all resources, each once. */
  async secretOutputs(): Promise<string[]> {
    return [...new Set((await this.resources()).flatMap(secretsOf))].sort();
  }

  /** The group as the state has it; undefined: it isn't there. */
  async group(userGroupId: string): Promise<GroupState | undefined> {
    const groups = (await this.resources()).flatMap(groupsOf);
    return groups.find((each) => each.userGroupId === userGroupId);
  }

  /** The ID that the service has for the group of the state. */
  async idOf(userGroupId: string): Promise<string> {
    return (await this.group(userGroupId))?.providedId ?? assert.fail(`${userGroupId} isn't in the state`);
  }

  /** The IDs of the former groups (`overlap`) in the state. */
  async formerIds(userGroupId: string): Promise<string[]> {
    return ((await this.group(userGroupId))?.former ?? []).map(({ providedId }) => providedId);
  }

  /** The group's token in the state, and whether it counts as adopted. */
  async tokenAndAdopted(userGroupId: string): Promise<unknown[]> {
    const { token, adopted } = (await this.group(userGroupId)) ?? {};
    return [token, adopted];
  }

  /** The requests since the last call, such as `GET acme created`. */
  requests(): string[] {
    const effects = effectsOf(this.emulator);
    this.emulator.clearRequests();
    return effects;
  }

  /** The bodies of the requests since the last call of `requests`. */
  bodies(): unknown[] {
    return this.emulator.requests.map(({ body }) => body);
  }

  /** That of the group in the service. */
  token(userGroupId: string): string | undefined {
    return this.emulator.groups.get(userGroupId)?.token;
  }

  /** `userGroupId` → token, as the service has them. */
  tokens(): Record<string, string> {
    return tokensOf(this.emulator);
  }
}

export function succeeds(run: Run): Run {
  assert.equal(run.errors, "");
  return run;
}

/** Asserts the errors' codes and texts. */
export function fails(run: Run, ...patterns: readonly RegExp[]): Run {
  for (const pattern of patterns) assert.match(run.errors, pattern);
  return run;
}

/** Asserts the warnings' codes and texts. */
export function warns(run: Run, ...patterns: readonly RegExp[]): Run {
  for (const pattern of patterns) assert.match(run.warnings.join("\n"), pattern);
  return run;
}
