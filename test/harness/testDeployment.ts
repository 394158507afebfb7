/** A deployment without a service, for lifecycles that fail or end before a request. */
import { newDeployment, type Deployment } from "../../provider/src/core/deployment/context";
import { jumpingClock } from "./clock";

export function testDeployment(
  settings: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string | undefined>> = {},
): Deployment & { readonly warnings: string[] } {
  const warnings: string[] = [];
  const clock = jumpingClock();
  return {
    ...newDeployment(),
    sources: { environment, configuration: { get: (key) => settings[key.replace("user-groups:", "")] } },
    logger: { info: () => undefined, warn: (line) => warnings.push(line) },
    clock,
    signal: new AbortController().signal,
    warnings,
  };
}
