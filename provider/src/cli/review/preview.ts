/**
 * The output of `pulumi preview --json`: the steps of the resources of this package, dynamic ones or of the plugin, and what was logged. The
 * engine writes `[secret]` in the place of each secret.
 */
import * as z from "zod";
import { escaped } from "../../text";
import { jsonText, parse } from "../../validation";
import { UsageError } from "../command";
import { kindOf, type Kind } from "../stackExport";

const properties = z.record(z.string(), z.unknown()).default({});
const flag = z.boolean().default(false);

const state = z.object({
  urn: z.string(),
  type: z.string(),
  inputs: properties,
  outputs: properties,
  protect: flag,
  external: flag,
  retainOnDelete: flag,
  /** A replacement of an earlier `up` has still to delete it. */
  delete: flag,
});

export type PreviewedState = Readonly<z.infer<typeof state>>;

const step = z.object({
  op: z.string(),
  urn: z.string(),
  provider: z.string().default(""),
  oldState: state.nullish(),
  newState: state.nullish(),
});

type Step = Readonly<z.infer<typeof step>>;

const diagnostic = z.object({
  urn: z.string().default(""),
  message: z.string().default(""),
  severity: z.string().default(""),
});

const preview = z.object({
  config: z.record(z.string(), z.unknown()).nullish(),
  steps: z.array(step).nullish(),
  diagnostics: z.array(diagnostic).nullish(),
});

/** What a preview does with a resource of this package. */
export interface PreviewedResource {
  readonly urn: string;
  /** That of its present form. */
  readonly kind: Kind;
  /** The URN of its provider: the customers of another one are others. */
  readonly provider: string;
  readonly before: (PreviewedState & { readonly kind: Kind }) | undefined;
  /** Undefined: the resource leaves the program. */
  readonly after: PreviewedState | undefined;
  /** How the engine replaces it; undefined: it doesn't. */
  readonly replacement: "delete first" | "create first" | undefined;
  /** Whether nothing of its inputs changes. */
  readonly isSame: boolean;
  /** The option `import`: its group exists. */
  readonly isImported: boolean;
}

export interface Preview {
  /** The stack's configuration: key → value. */
  readonly configuration: ReadonlyMap<string, string>;
  readonly resources: readonly PreviewedResource[];
  /** The arguments of explicit providers of the plugin, by URN. */
  readonly providers: ReadonlyMap<string, PreviewedState>;
  /** The warnings of this package, which end with a code. `urn`: of their resource; empty: not known. */
  readonly warnings: readonly { readonly urn: string; readonly message: string; readonly code: string }[];
}

/** Error: a `UsageError`, if the text is no preview, or that of one that failed. */
export function readPreview(text: string): Preview {
  const read = parse(jsonText("is not JSON").pipe(preview), text, ({ path, reason }) => {
    return new UsageError(
      `The input isn't the output of pulumi preview --json: its ${path || "text"} ${reason}.`,
    );
  });
  const { config, steps, diagnostics } = read;
  const failure = diagnostics?.find(({ severity }) => severity === "error");
  if (failure) throw new UsageError(`The preview failed. ${escaped(plain(failure.message))}`);
  if (!steps)
    throw new UsageError("The input isn't the output of pulumi preview --json: its steps are missing.");
  const configuration = Object.entries(config ?? {}).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[key, value]] : [],
  );
  return {
    configuration: new Map(configuration),
    resources: resourcesIn(steps),
    providers: providersIn(steps),
    warnings: (diagnostics ?? []).flatMap(({ urn, message }) => {
      const [line, code] = /^.* \[([a-z-]+)\]$/.exec(plain(message)) ?? [];
      return line === undefined || code === undefined ? [] : [{ urn, message: line, code }];
    }),
  };
}

/** The engine writes colors as `<{%reset%}>`. */
function plain(message: string): string {
  return message.replaceAll(/<\{%[^%]*%\}>/g, "").trim();
}

/** Neither lookups nor what a refresh reads. */
const reading = /^(read|refresh|discard)/;

function resourcesIn(steps: readonly Step[]): PreviewedResource[] {
  const byUrn = new Map<string, Step[]>();
  for (const each of steps) {
    const shown = each.newState ?? each.oldState;
    if (!shown || shown.external || reading.test(each.op) || kindOf(shown.type) === undefined) continue;
    // What waits for its deletion has the URN of its successor.
    const key = each.op === "delete" && each.oldState?.delete ? `${each.urn} (replaced before)` : each.urn;
    byUrn.set(key, [...(byUrn.get(key) ?? []), each]);
  }
  return [...byUrn.values()].flatMap(resourceOf);
}

function resourceOf(steps: readonly Step[]): PreviewedResource[] {
  const ops = steps.map(({ op }) => op);
  const before = steps.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const after = ops.includes("delete")
    ? undefined
    : (steps.find(({ newState }) => newState)?.newState ?? undefined);
  const [first] = steps;
  const kind = kindOf((after ?? before)?.type ?? "");
  const kindBefore = before && kindOf(before.type);
  if (!first || kind === undefined) return [];
  return [
    {
      urn: first.urn,
      kind,
      provider: first.provider.split("::").slice(0, 4).join("::"),
      before: before && kindBefore !== undefined ? { ...before, kind: kindBefore } : undefined,
      after,
      replacement: replacementOf(ops),
      isSame: ops.every((op) => op === "same"),
      isImported: ops.some((op) => op.startsWith("import")),
    },
  ];
}

function replacementOf(ops: readonly string[]): PreviewedResource["replacement"] {
  const deletion = ops.indexOf("delete-replaced");
  const creation = ops.findIndex((op) => op === "create-replacement" || op === "import-replacement");
  if (creation < 0) return undefined;
  return deletion >= 0 && deletion < creation ? "delete first" : "create first";
}

function providersIn(steps: readonly Step[]): Map<string, PreviewedState> {
  const own = steps.flatMap(({ urn, oldState, newState }): [string, PreviewedState][] => {
    const shown = newState ?? oldState;
    return shown?.type === "pulumi:providers:user-groups" ? [[urn, shown]] : [];
  });
  return new Map(own);
}
