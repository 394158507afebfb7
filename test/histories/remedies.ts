import { isAbout, problemsIn, type Problem } from "./expectedErrors";
import type { Program } from "./historyProgram";

/** What the author of a program does about its mistakes, some of them only when they are reported again. */
export class Remedies {
  #reported = new Set<string>();
  #rotations = 0;

  constructor(
    private readonly program: Program,
    private readonly deleteGroup: (userGroupId: string) => void,
  ) {}

  apply(errors: readonly string[]): void {
    const reported = new Set<string>();
    for (const problem of problemsIn(errors)) {
      if (problem.code === "adoption-refused") this.program.allowAdoption();
      if (problem.code === "setting-conflict") this.program.simplify();
      for (const { userGroupId } of this.program.groups)
        if (isAbout(problem, userGroupId)) reported.add(this.#applyAgain(problem, userGroupId));
    }
    this.#reported = reported;
  }

  #applyAgain({ code }: Problem, userGroupId: string): string {
    const report = `${code} ${userGroupId}`;
    if (!this.#reported.has(report)) return report;
    if (code === "mapping-conflict") this.program.remove(userGroupId);
    if (code === "update-not-applied")
      this.program.setKeepers(userGroupId, `conflict ${(this.#rotations += 1)}`);
    if (code === "replacement-retained") this.deleteGroup(userGroupId);
    return report;
  }
}
