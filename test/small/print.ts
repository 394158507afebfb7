/** Prints a history that broke an invariant, as programs that a person can run and what came of them. */
import type { Declared, ResourceState } from "../model/resources";
import { isSecret, markedOf, unmarked } from "../model/secrets";
import type { Step } from "./oracle/step";
import type { Run } from "./runner";

export function printRun(index: number, { history, steps, broken }: Run): string {
  const { shape, fault, ...choices } = history;
  return [
    `History ${index}: ${shape} (HISTORY=${index} npm run test:small)`,
    broken?.message ?? "No invariant is broken.",
    "",
    Object.entries(choices)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join(", "),
    `fault: ${fault ? `${fault.kind}, request ${fault.request}` : "none"}`,
    ...steps.flatMap((step, number) => ["", ...printStep(step, number)]),
  ].join("\n");
}

function printStep(step: Step, index: number): string[] {
  const { command, title, program, before, after, requests, outcome, printed, preview } = step;
  const line = (text: string) => `    ${text.replaceAll("\n", "\n    ")}`;
  return [
    `${index + 1}. pulumi ${command} (${title})${outcome.wasKilled ? ", killed" : ""}${outcome.failures.length > 0 ? ", failed" : ""}`,
    ...(command === "up" ? programText(program).map(line) : []),
    "  state before:",
    ...before.map((resource) => line(stateText(resource))),
    ...(preview
      ? ["  preview:", line(JSON.stringify(preview.outcome.changes)), ...preview.printed.map(line)]
      : []),
    "  requests:",
    ...requests.map(({ entry, token, resource, operation }) =>
      line(
        `${entry.toString()} by ${operation} of ${resource}` +
          (entry.method === "GET" ? ` → ${token} ${bodyText(entry.body)}` : ` with ${token}`),
      ),
    ),
    "  printed:",
    ...printed.map(line),
    ...outcome.failures.map(({ operation, name, message }) =>
      line(`error: ${operation} ${name}: ${message}`),
    ),
    "  state after:",
    ...after.map((resource) => line(stateText(resource))),
  ];
}

function bodyText(body: unknown): string {
  if (typeof body !== "object" || body === null) return "";
  const { user_group_id: _, ...others } = Object.fromEntries(Object.entries(body));
  return JSON.stringify(others);
}

function programText(program: readonly Declared[]): string[] {
  return program.map(({ name, provider, args, aliases, dependsOn, valuesFrom = {}, ...others }) => {
    const { retainOnDelete, isLookup } = others;
    const type = provider === "userGroup" ? "UserGroup" : "UserGroups";
    if (isLookup) return `UserGroup.get("${name}", ${argsText(args)});`;
    const options = {
      ...(aliases && { aliases: aliases.map((former) => ({ name: former })) }),
      ...(retainOnDelete && { retainOnDelete }),
    };
    const depends = dependsOn ? `dependsOn: [${dependsOn.join(", ")}]` : "";
    const shown = JSON.stringify(options).slice(1, -1);
    const optionText = [shown, depends].filter((text) => text !== "").join(", ");
    const made = Object.entries(valuesFrom).map(([path, from]) => ` // ${path}: ${from}.id.apply(() => …)`);
    return `const ${name} = new ${type}("${name}", ${argsText(args)}${optionText && `, { ${optionText} }`});${made.join("")}`;
  });
}

function argsText(value: unknown): string {
  if (isSecret(value)) return `pulumi.secret(${JSON.stringify(unmarked(value))})`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key}: ${argsText(each)}`)
    .join(", ")} }`;
}

function stateText({ name, provider, status, initErrors, outputs, isTainted }: ResourceState): string {
  const { __provider, __resource, ...values } = markedOf(outputs);
  const text = JSON.stringify(values, (_, value: unknown) =>
    isSecret(value) ? { secret: unmarked(value) } : value,
  );
  const marks = [
    status === "live" ? "" : status,
    isTainted ? "tainted" : "",
    initErrors.length > 0 ? "incomplete" : "",
  ];
  return [provider, name, ...marks.filter((mark) => mark !== ""), text].join(" ");
}
