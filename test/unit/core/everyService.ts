import type { EmulatorOptions } from "../../../provider/src/testing";
import { inContext, type Context, type ContextOptions } from "../../harness/providers";

/** A group with every argument that the service receives. */
export const acme = {
  userGroupId: "acme",
  name: "Acme",
  mapping: { sales: "warehouse", finance: 7 },
  properties: { region: "eu", nested: { none: null, list: [1, "two"] } },
};

/** The body of a request with it. */
export const acmeSent = {
  user_group_id: "acme",
  name: "Acme",
  mapping: acme.mapping,
  properties: acme.properties,
};

export type Behavior = Required<Pick<EmulatorOptions, "existing" | "response" | "emptyProperties">>;

/** Both ways of everything that the interface doesn't show of get-or-create. */
const behaviors: Behavior[] = (["keep", "update"] as const).flatMap((existing) =>
  (["stored", "requested"] as const).flatMap((response) =>
    (["absent", "null"] as const).map((emptyProperties) => ({ existing, response, emptyProperties })),
  ),
);

/** Whether a service shows the values of a group that exists, and not those of the request. */
export function showsStored({ existing, response }: Behavior): boolean {
  return existing === "keep" && response === "stored";
}

/** One test for each behavior. */
export function itInEveryService(
  title: string,
  options: ContextOptions,
  test: (context: Context, behavior: Behavior) => Promise<void>,
): void {
  for (const behavior of behaviors)
    it(
      `${title} (${Object.values(behavior).join(", ")})`,
      inContext({ ...options, ...behavior }, (context) => test(context, behavior)),
    );
}
