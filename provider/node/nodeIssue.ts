/** `engines` of package.json. The plugin has no package.json beside it. */
const supported = "^20.19.0 || >=22.12.0";

/** Why this version of Node.js can't run the package, as a whole sentence; undefined if it can. */
export function nodeIssue(version: string): string | undefined {
  const ranges = supported.split(" || ");
  if (ranges.some((range) => isIn(range, version))) return undefined;
  const names = ranges.map((range) => `${range.replace(/^\D+|\.0$/g, "")}+`);
  return `pulumi-user-groups requires Node.js ${names.join(" or ")}, this is ${version}.`;
}

/** `^`: from this version on, with its first number; `>=`: from this version on. */
function isIn(range: string, version: string): boolean {
  const [major = 0, ...wanted] = numbersOf(range);
  const [givenMajor = 0, ...given] = numbersOf(version);
  if (givenMajor !== major) return givenMajor > major && range.startsWith(">=");
  const index = wanted.findIndex((number, each) => number !== given[each]);
  return (given[index] ?? 0) >= (wanted[index] ?? 0);
}

function numbersOf(text: string): number[] {
  return text.replace(/^\D+/, "").split(".").map(Number);
}
