/** Prints a history that broke an invariant: the programs, the requests, what was printed, and the states. */
import type { Declared, ResourceState } from "../support/model/resources";
import { isSecret, markedOf, unmarked } from "../support/model/secrets";
import type { Step, StepRequest } from "./oracle/step";
import type { Run } from "./runner";

export function printRun(number: number, { history, steps, broken }: Run): string {
  const { shape, ...choices } = history;
  return [
    `History ${number}: ${shape} (HISTORY=${number} npm test -- histories)`,
    broken?.message ?? "No invariant is broken.",
    `\n${textOf(choices)}`,
    ...steps.map(stepText),
  ].join("\n");
}

function stepText(step: Step, index: number): string {
  const { command, title, program, before, after, requests, outcome, printed, preview } = step;
  const { failures, wasKilled } = outcome;
  const errors = failures.map(({ operation, name, message }) => `error: ${operation} ${name}: ${message}`);
  const sections = {
    program: program.map(programText),
    "state before": before.map(stateText),
    preview: preview ? [textOf(preview.outcome.changes), ...preview.printed] : [],
    requests: requests.map(requestText),
    printed: [...printed, ...errors],
    "state after": after.map(stateText),
  };
  const ending = failures.length > 0 ? ", failed" : "";
  return [
    `\n${index + 1}. pulumi ${command} (${title})${wasKilled ? ", killed" : ending}`,
    ...Object.entries(sections).flatMap(([name, lines]) => (lines.length > 0 ? [`${name}:`, ...lines] : [])),
  ].join("\n");
}

function requestText({ entry, token, resource, operation }: StepRequest): string {
  return `${entry.toString()} by ${operation} of ${resource}; token ${token}; ${textOf(entry.body)}`;
}

function programText({ name, provider, args, ...options }: Declared): string {
  return `new ${provider}("${name}", ${textOf(args)}, ${textOf(options)})`;
}

function stateText({ name, provider, status, initErrors, outputs }: ResourceState): string {
  const { __provider, __resource, ...values } = markedOf(outputs);
  return `${provider} ${name} ${textOf({ status, initErrors })} ${textOf(values)}`;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (isSecret(each) ? { secret: unmarked(each) } : each));
}
