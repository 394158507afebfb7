import { MemoryWatch } from "./memory";

/** What a run takes, as a table in Markdown. */
export class Figures {
  readonly #lines: string[] = [];
  readonly #watches: MemoryWatch[] = [];

  /** Watches the memory of a machine, whose processes have this mark in their environment. */
  watch(mark: string): void {
    this.#watches.push(new MemoryWatch(mark));
  }

  async time<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    const result = await work();
    this.note(what, `${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  }

  note(what: string, figure: string): void {
    this.#lines.push(`| ${what} | ${figure} |`);
  }

  /** Ends the watch, and shows what it has seen. */
  show(): void {
    for (const watch of this.#watches) watch.stop();
    const sums = this.#watches.map(({ largestSum }) => largestSum).sort((one, other) => one - other);
    this.note("memory, all processes of one machine at once", `${sums.join(", ")} MiB`);
    for (const kind of new Set(this.#watches.flatMap(({ peaks }) => [...peaks.keys()]))) {
      const peaks = this.#watches.map((watch) => watch.peaks.get(kind) ?? 0);
      this.note(`memory, the largest process: ${kind}`, `${Math.round(Math.max(...peaks) / 1024)} MiB`);
    }
    console.log(["| | |", "| --- | ---: |", ...this.#lines].join("\n"));
  }
}
