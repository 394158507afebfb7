// Where program and provider spent their time.
import { contestant } from "../contestants";
import type { Profile, Results } from "../results";
import { figure, grouped, table } from "./markdown";

/** One table for each profiled operation: parts against processes, those above a hundredth of the whole. */
export function profiles({ profiles: all }: Results): string {
  const operations = new Map<string, Profile[]>();
  for (const profile of all) {
    const title = `${contestant(profile.contestant).title}: ${profile.operation} of ${grouped(profile.groups)} groups`;
    operations.set(title, [...(operations.get(title) ?? []), profile]);
  }
  if (operations.size === 0) return "Not profiled.";
  return [...operations].map(([title, processes]) => tableOf(title, processes)).join("\n\n");
}

function tableOf(title: string, processes: readonly Profile[]): string {
  const parts = [...new Set(processes.flatMap(({ seconds }) => Object.keys(seconds)))];
  const rows = parts.map((part) => ({ part, seconds: processes.map(({ seconds }) => seconds[part] ?? 0) }));
  const total = sum(rows.flatMap(({ seconds }) => seconds));
  const shown = rows
    .filter(({ seconds }) => sum(seconds) > total / 100)
    .sort((one, other) => sum(other.seconds) - sum(one.seconds));
  return table(
    [`${title}, seconds`, ...processes.map(({ process }) => `In the ${process}`)],
    shown.map(({ part, seconds }) => [part, ...seconds.map(figure)]),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
