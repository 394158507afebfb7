/** The first commands of a history on the real engine, with the same service and the same faults. */
import { newStack, ProcessKiller, type Result, type Stack } from "../engine/harness";
import { environmentOf } from "../engine/harness/programs";
import { resourcesIn } from "../engine/harness/state";
import type { Declared, ResourceState } from "../model/resources";
import { goalOf, meddle, optionsOf, type Fault, type History } from "./history";
import { shapeOf, type Command } from "./program";
import type { SeenRequest, Service } from "./service";

/** A command, and what came of it. */
export interface RealStep {
  readonly hasSucceeded: boolean;
  readonly requests: readonly SeenRequest[];
  readonly after: readonly ResourceState[];
  readonly output: string;
}

interface StepOptions {
  readonly flags?: readonly string[];
  readonly apiToken?: string;
  readonly fault?: Fault | undefined;
}

/** The first up, the step, and what the user does next. */
export async function runOnEngine(history: History, service: Service): Promise<RealStep[]> {
  service.reset(history);
  const killer = new ProcessKiller();
  const stack = await newStack({ program: programFiles([]), env: killer.env });
  try {
    return await new RealHistory(history, service, stack, killer).run();
  } finally {
    await stack.remove();
  }
}

class RealHistory {
  readonly #steps: RealStep[] = [];

  constructor(
    private readonly history: History,
    private readonly service: Service,
    private readonly stack: Stack,
    private readonly killer: ProcessKiller,
  ) {}

  async run(): Promise<RealStep[]> {
    const { history, service } = this;
    const { fault, flag, next, meanwhile } = history;
    const options = optionsOf(history);
    const shape = shapeOf(history.shape, options);
    if (shape.former.length > 0) await this.#take("up", shape.former);
    meddle(history, shape, service);
    const names = [shape.changed[0]?.name, ...(shape.changed[0]?.aliases ?? [])];
    const targets = (await this.stack.resources()).filter(({ name }) => names.includes(name));
    if (flag === "taint")
      for (const { urn } of targets) await this.stack.run(["state", "taint", urn, "--yes", "--stack", "dev"]);
    const isOther = meanwhile.endsWith("account");
    await this.#take(shape.command, shape.changed, {
      flags: flagsOf(
        flag,
        targets.filter(({ name }) => name === names[0]).map(({ urn }) => urn),
      ),
      fault,
      ...(isOther && { apiToken: service.other.apiToken }),
    });
    if (shape.command === "destroy" || next === "destroy") await this.#take("destroy", []);
    else if (next.startsWith("refresh")) await this.#take("refresh", shape.changed);
    else await this.#take("up", goalOf(history, shape, options));
    return this.#steps;
  }

  async #take(command: Command, program: readonly Declared[], options: StepOptions = {}): Promise<void> {
    const { service, stack, killer } = this;
    const { flags = [], apiToken = service.emulator.apiToken, fault } = options;
    const requests: SeenRequest[] = [];
    service.onRequest = (request) => {
      requests.push(request);
      killer.onRequest();
    };
    if (command !== "destroy") await stack.program(programFiles(program));
    if (fault) service.order(fault);
    const { baseUrl } = service.emulator;
    const settings = { baseUrl, apiToken, changes: this.history.changes, maxConnections: "1", timeout: "5" };
    const moment = { requests: fault?.kind === "killed after" ? fault.request : Infinity };
    const result: Result = await killer.during(moment, () =>
      stack[command]({ env: environmentOf(settings), flags: ["--parallel", "1", ...flags] }),
    );
    if (result.code === null) await stack.recover();
    service.emulator.clearFaults();
    this.#steps.push({
      hasSucceeded: result.code === 0,
      requests,
      after: resourcesIn(await stack.plainState()),
      output: result.output,
    });
  }
}

function flagsOf(flag: History["flag"], urns: readonly string[]): string[] {
  if (flag === "--continue-on-error") return [flag];
  return flag === "--replace" ? urns.flatMap((urn) => [flag, urn]) : [];
}

/** A program that declares the resources. Values that are made of IDs, secrets and options are as in the model. */
function programFiles(resources: readonly Declared[]): Record<string, string> {
  return {
    "Pulumi.yaml": "name: tests\nruntime: nodejs\n",
    "program.json": JSON.stringify(resources),
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const { UserGroup, UserGroups } = require("pulumi-user-groups");
      const isSecret = (value) => typeof value === "object" && value !== null && "4dabf18193072939515e22adb298388d" in value;
      const revived = (value) => {
        if (typeof value !== "object" || value === null) return value;
        if (isSecret(value)) return pulumi.secret(value.value);
        return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revived(each)]));
      };
      const withValue = (value, [head, ...rest], id) =>
        head === undefined
          ? pulumi.output(value).apply((known) => id.apply(() => known))
          : { ...value, [head]: withValue(value[head], rest, id) };
      const declared = {};
      for (const { name, provider, args, aliases = [], dependsOn = [], valuesFrom = {}, retainOnDelete } of require("./program.json")) {
        let inputs = revived(args);
        for (const [path, from] of Object.entries(valuesFrom)) inputs = withValue(inputs, path.split("."), declared[from].id);
        const options = {
          aliases: aliases.map((former) => ({ name: former })),
          dependsOn: dependsOn.map((other) => declared[other]),
          retainOnDelete,
        };
        declared[name] = new { userGroup: UserGroup, userGroups: UserGroups }[provider](name, inputs, options);
      }
    `,
  };
}
