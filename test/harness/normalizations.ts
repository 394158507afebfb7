/** Services that store other values than they receive. Each is idempotent, and keeps different names different. */
import type { GroupValues } from "../../provider/src/testing";

export const normalizationNames = ["none", "trimmed name", "added property", "both"] as const;
export type Normalization = (typeof normalizationNames)[number];

export const normalizations: Record<Normalization, (values: GroupValues) => GroupValues> = {
  none: (values) => values,
  "trimmed name": trimmed,
  "added property": withPlan,
  both: (values) => withPlan(trimmed(values)),
};

function trimmed(values: GroupValues): GroupValues {
  return { ...values, name: values.name.trim() };
}

function withPlan(values: GroupValues): GroupValues {
  return { ...values, properties: { plan: "basic", ...values.properties } };
}
