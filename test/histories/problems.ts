/** What errors say: code and text of each problem. */
export interface Problem {
  /** Empty for an error without a code. */
  readonly code: string;
  readonly text: string;
}

const summaries = new Set(["partial-failure", "unfinished"]);

/** The problems that errors name, without the summary of an operation on many groups. */
export function problemsIn(errors: readonly string[]): Problem[] {
  return errors.flatMap((error) => {
    const problems = [...error.matchAll(/([^[\]]|\[(?![a-z-]+\]))*\[([a-z-]+)\]/g)].map(([text, , code]) => {
      return { code: code ?? "", text };
    });
    const others = problems.filter(({ code }) => !summaries.has(code));
    return problems.length > 0 ? others : [{ code: "", text: error }];
  });
}

export function isAbout({ text }: Problem, userGroupId: string): boolean {
  return text.includes(JSON.stringify(userGroupId));
}
