/** How much the histories of a suite did. */
import type { RequestLogEntry } from "../../provider/src/testing";
import type { Result } from "./driver";

export type Figures = ReturnType<typeof newFigures>;

export function newFigures(): Record<
  "steps" | "runs" | "operations" | "requests" | "faults" | "kills" | "defects",
  number
> {
  return { steps: 0, runs: 0, operations: 0, requests: 0, faults: 0, kills: 0, defects: 0 };
}

/** Adds a run of the engine. */
export function count(
  figures: Figures,
  { wasKilled, operations, defects }: Result,
  requests: readonly RequestLogEntry[],
): void {
  figures.runs += 1;
  figures.operations += operations;
  figures.requests += requests.length;
  figures.faults += requests.filter(({ fault }) => fault).length;
  figures.kills += wasKilled ? 1 : 0;
  figures.defects += defects > 0 ? 1 : 0;
}

/** "more than 10,000", in steps of 1, 2 and 5: what happens at the same time makes figures differ from run to run. */
export function moreThan(figure: number): string {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(figure - 1, 1)));
  const step = [5, 2, 1].find((each) => each * magnitude < figure);
  return step === undefined ? String(figure) : `more than ${(step * magnitude).toLocaleString("en-US")}`;
}
