import type { SettingSources } from "../../../provider/src/settings/readSettings";

type Values = Readonly<Record<string, string | undefined>>;

export function sources(configuration: Values, environment: Values = {}): SettingSources {
  return { environment, configuration: { get: (key) => configuration[key] } };
}
