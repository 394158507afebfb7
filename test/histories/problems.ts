/** What errors say: code and text of each problem. */
export interface Problem {
  /** Empty for an error without a code. */
  readonly code: string;
  readonly text: string;
}

/** The code of the summary of an operation on many groups. */
const summary = "partial-failure";

/** The problems that errors name, without the summary. */
export function problemsIn(errors: readonly string[]): Problem[] {
  return errors.flatMap((error) => {
    const problems = [...error.matchAll(/([^[\]]|\[(?![a-z-]+\]))*\[([a-z-]+)\]/g)].map(([text, , code]) => {
      return { code: code ?? "", text };
    });
    const others = problems.filter(({ code }) => code !== summary);
    return problems.length > 0 ? others : [{ code: "", text: error }];
  });
}

export function isAbout({ text }: Problem, userGroupId: string): boolean {
  return text.includes(JSON.stringify(userGroupId));
}
