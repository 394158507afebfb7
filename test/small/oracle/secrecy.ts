/** Invariant 5: no token and no secret can be read in a state, and of other values only those that the program has now. */
import { markedOf, plainTexts } from "../../model/secrets";
import { urnOf } from "../../model/resources";
import type { Service } from "../service";
import { breaks, type Step } from "./step";

export interface Texts {
  /** All values of groups in the history, somebody else's among them. */
  readonly values: ReadonlySet<string>;
  /** Whether those of the program are secrets. */
  readonly areSecret: boolean;
}

export function checkSecrets(
  { before, after, program, command }: Step,
  service: Service,
  texts: Texts,
): void {
  const tokens = new Set(service.instances.flatMap((instance) => [...instance.tokens]));
  for (const resource of after) {
    const former = before.find((each) => urnOf(each) === urnOf(resource) && each.status === resource.status);
    const declared = program.find(({ name }) => name === resource.name);
    const inputs = command === "up" && declared ? declared.args : (former?.inputs ?? {});
    const current = new Set(textsIn(inputs).map(({ text }) => text));
    for (const [kind, properties] of Object.entries({ inputs: resource.inputs, outputs: resource.outputs }))
      for (const { path, text } of textsIn(properties)) {
        const isDriftedName = /(^|\.)name$/.test(path) && !texts.areSecret;
        // What the engine has kept of an earlier command was the program's then, and so were inputs.
        const isKept =
          kind === "inputs" ? command === "up" : before.some(({ outputs }) => outputs === properties);
        const isRetained = texts.values.has(text) && !current.has(text) && !isDriftedName && !isKept;
        const isSecret = texts.areSecret && texts.values.has(text) && !current.has(text);
        if (tokens.has(text) || isSecret || isRetained)
          breaks(5, `${path} in the ${kind} of ${resource.name} can be read: ${text}`);
      }
  }
}

function textsIn(properties: object): { readonly path: string; readonly text: string }[] {
  return plainTexts(markedOf(properties));
}
