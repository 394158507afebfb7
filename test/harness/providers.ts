/** The dynamic providers of one deployment after another, against an emulator, with everything passed in. */
import { z } from "zod";
import type { DynamicProvider } from "../../provider/src/dynamic/dynamicProvider";
import { dynamicProviders, type DynamicDependencies } from "../../provider/src/dynamic/dynamicProviders";
import { UserGroupError } from "../../provider/src/errors";
import type { Emulator, EmulatorOptions } from "../../provider/src/testing";
import { withoutSecretMarks } from "../../provider/src/values";
import { jumpingClock } from "./clock";
import { emulatorTest } from "./emulatorTest";

export type State = Record<string, unknown>;

/** One resource as the engine uses it. States are in plain text, without the text of the provider. */
export interface TestResource {
  readonly provider: DynamicProvider;
  /** `resource`: what identifies the resource in this deployment. */
  readonly check: (
    news: object,
    olds?: object,
    resource?: string,
  ) => Promise<{ inputs: unknown; failures: string[] }>;
  readonly diff: (state: object, news: object) => Promise<object>;
  readonly create: (args: object) => Promise<State>;
  readonly update: (state: object, args: object) => Promise<State>;
}

export interface Deployment {
  readonly userGroup: TestResource;
  readonly userGroups: TestResource;
}

export interface Context extends Deployment {
  readonly emulator: Emulator;
  /** What the user sees. Warnings begin with `warning: `. */
  readonly lines: string[];
  /** The next deployment, with the same environment. */
  readonly deploy: () => Deployment;
}

export interface ContextDependencies extends Partial<Pick<DynamicDependencies, "clock" | "signal">> {
  /** Beside the address and the API token of the emulator. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export type ContextOptions = EmulatorOptions & Pick<ContextDependencies, "env">;

/** The name of a host that no name server is asked for, because a label has at most 63 characters. */
export const unresolvable = "x".repeat(64);

/** Declares a test that has a service and a deployment of its own. */
export function deploymentTest(
  title: string,
  { env, ...options }: ContextOptions,
  test: (context: Context) => Promise<void>,
): Mocha.Test {
  return emulatorTest(title, options, (emulator) => test(contextOf(emulator, { env })));
}

export function contextOf(emulator: Emulator, { env, ...dependencies }: ContextDependencies = {}): Context {
  const environment: Record<string, string | undefined> = {
    USER_GROUPS_BASE_URL: emulator.baseUrl,
    USER_GROUPS_API_TOKEN: emulator.apiToken,
    ...env,
  };
  const lines: string[] = [];
  const logger = {
    info: (line: string) => void lines.push(line),
    warn: (line: string) => void lines.push(`warning: ${line}`),
  };
  const defaults = { clock: jumpingClock(), signal: new AbortController().signal };
  const deploy = (): Deployment => {
    const providers = dynamicProviders({ environment, logger, ...defaults, ...dependencies });
    return {
      userGroup: testResource(providers.userGroup),
      userGroups: testResource(providers.userGroups),
    };
  };
  return { emulator, lines, deploy, ...deploy() };
}

function testResource(provider: DynamicProvider): TestResource {
  return {
    provider,
    async check(news, olds = {}, resource) {
      const { inputs, failures = [] } = await provider.check(olds, {
        ...provided(news),
        __resource: resource,
      });
      return { inputs, failures: failures.map(({ property, reason }) => `${property}: ${reason}`) };
    },
    diff: (state, news) => provider.diff(idOf(state), provided(state), provided(news)),
    async create(args) {
      const { id, outs } = await provider.create(provided(args));
      const state = plain(outs);
      if (id !== idOf(state)) throw new Error(`The physical ID is ${id}.`);
      return state;
    },
    async update(state, args) {
      return plain((await provider.update(idOf(state), provided(state), provided(args))).outs);
    },
  };
}

/** With the text of the provider, as the SDK adds it to inputs and states. */
function provided(properties: object): object {
  return { ...properties, __provider: "text of the provider" };
}

function idOf(state: object): string {
  return "userGroupId" in state ? String(state.userGroupId) : "user-groups";
}

/** A state with its secrets in plain text. */
function plain(outputs: unknown): State {
  const { __provider, ...state } = z.looseObject({}).parse(withoutSecretMarks(outputs));
  return state;
}

/** The error for people with which an operation fails. */
export async function failureOf(operation: Promise<unknown>): Promise<UserGroupError> {
  try {
    await operation;
  } catch (error) {
    if (error instanceof UserGroupError) return error;
    throw error;
  }
  throw new Error("The operation didn't fail.");
}

/** The requests that the service has received, such as `GET acme created`. */
export function effectsOf({ requests }: Emulator): string[] {
  return requests.map(({ method, userGroupId = "?", effect }) => `${method} ${userGroupId} ${effect}`);
}

/** `userGroupId` → token, as the service has them. */
export function tokensOf({ groups }: Pick<Emulator, "groups">): Record<string, string> {
  return Object.fromEntries([...groups.values()].map(({ userGroupId, token }) => [userGroupId, token]));
}

/** `t0`, `t1` and so on, each with the same values. */
export function many(count: number, values: object = { name: "Tenant" }): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, values]));
}
