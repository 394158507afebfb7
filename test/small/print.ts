/** Prints a history that broke an invariant: the programs, the requests, what was printed, and the states. */
import type { Declared, ResourceState } from "../model/resources";
import { isSecret, markedOf, unmarked } from "../model/secrets";
import type { Step } from "./oracle/step";
import type { Run } from "./runner";

export function printRun(index: number, { history, steps, broken }: Run): string {
  const { shape, ...choices } = history;
  return [
    `History ${index}: ${shape} (HISTORY=${index} npm run test:small)`,
    broken?.message ?? "No invariant is broken.",
    "",
    textOf(choices),
    ...steps.flatMap((step, number) => ["", ...printStep(step, number)]),
  ].join("\n");
}

function printStep(step: Step, index: number): string[] {
  const { command, title, program, before, after, requests, outcome, printed, preview } = step;
  const failed = outcome.failures.length > 0 ? ", failed" : "";
  const section = (name: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [`  ${name}:`, ...lines.map((line) => `    ${line.replaceAll("\n", "\n    ")}`)];
  const errors = outcome.failures.map(
    ({ operation, name, message }) => `error: ${operation} ${name}: ${message}`,
  );
  return [
    `${index + 1}. pulumi ${command} (${title})${outcome.wasKilled ? ", killed" : failed}`,
    ...section("program", program.map(programText)),
    ...section("state before", before.map(stateText)),
    ...section("preview", preview ? [textOf(preview.outcome.changes), ...preview.printed] : []),
    ...section(
      "requests",
      requests.map(
        ({ entry, token, resource, operation }) =>
          `${entry.toString()} by ${operation} of ${resource}; token ${token}; ${textOf(entry.body)}`,
      ),
    ),
    ...section("printed", [...printed, ...errors]),
    ...section("state after", after.map(stateText)),
  ];
}

function programText({ name, provider, args, ...options }: Declared): string {
  const type = provider === "userGroup" ? "UserGroup" : "UserGroups";
  return `new ${type}("${name}", ${textOf(args)}, ${textOf(options)})`;
}

function stateText({ name, provider, status, initErrors, outputs, isTainted }: ResourceState): string {
  const { __provider, __resource, ...values } = markedOf(outputs);
  const marks = [status, isTainted ? "tainted" : "", initErrors.length > 0 ? "incomplete" : ""];
  return [provider, name, ...marks.filter((mark) => mark !== ""), textOf(values)].join(" ");
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (isSecret(each) ? { secret: unmarked(each) } : each));
}
