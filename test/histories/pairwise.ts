/** Combinations of options in which each two options of two dimensions meet, unless they exclude each other. */

export type Dimensions<Combination> = { readonly [Name in keyof Combination]: readonly Combination[Name][] };

/** Few combinations instead of all: greedily, always the one in which most pairs meet for the first time. */
export function pairwise<Combination extends object>(
  dimensions: Dimensions<Combination>,
  isAllowed: (combination: Combination) => boolean,
): Combination[] {
  const all = product(dimensions).filter(isAllowed);
  const missing = new Set(all.flatMap(pairsOf));
  const chosen: Combination[] = [];
  while (missing.size > 0) {
    const gains = all.map((combination) => pairsOf(combination).filter((pair) => missing.has(pair)).length);
    const equals = all.filter((_, index) => gains[index] === Math.max(...gains));
    const best = equals[(chosen.length * 7) % equals.length];
    if (!best) break;
    chosen.push(best);
    for (const pair of pairsOf(best)) missing.delete(pair);
  }
  return chosen;
}

function product<Combination extends object>(dimensions: Dimensions<Combination>): Combination[] {
  let combinations: object[] = [{}];
  for (const [name, options] of Object.entries<readonly unknown[]>(dimensions))
    combinations = combinations.flatMap((combination) =>
      options.map((option) => ({ ...combination, [name]: option })),
    );
  return combinations.filter((combination): combination is Combination =>
    isComplete(combination, dimensions),
  );
}

function isComplete<Combination extends object>(
  combination: object,
  dimensions: Dimensions<Combination>,
): combination is Combination {
  return Object.keys(dimensions).every((name) => name in combination);
}

function pairsOf(combination: object): string[] {
  const options = Object.entries(combination).map((entry) => JSON.stringify(entry));
  return options.flatMap((one, index) => options.slice(index + 1).map((other) => one + other));
}
