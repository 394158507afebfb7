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
const text = z.string("must be a string");

const state = z.object({
  urn: text,
  type: text,
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
  op: text,
  urn: text,
  provider: text.default(""),
  oldState: state.nullish(),
  newState: state.nullish(),
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
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
  readonly isReplaced: boolean;
  /** The paths of what changes, such as `groups.acme.name`; undefined: the form doesn't say it. */
  readonly details: readonly string[] | undefined;
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
  const { config, steps, diagnostics } = parse(jsonText("is not JSON").pipe(preview), text, (issue) =>
    notPreview(`its ${issue.path || "text"} ${issue.reason}`),
  );
  const failures = (diagnostics ?? []).filter(({ severity }) => severity === "error");
  if (failures.length > 0) throw failed(failures.map(({ message }) => lineOf(message)));
  if (!steps) throw notPreview("its steps are missing");
  const configuration = Object.entries(config ?? {}).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[key, value]] : [],
  );
  return {
    configuration: new Map(configuration),
    resources: resourcesIn(steps),
    providers: providersIn(steps),
    warnings: (diagnostics ?? []).flatMap(({ urn, message }) => {
      const [line, code] = /^.* \[([a-z-]+)\]$/.exec(lineOf(message)) ?? [];
      return line === undefined || code === undefined ? [] : [{ urn, message: line, code }];
    }),
  };
}

function notPreview(reason: string): UsageError {
  return new UsageError(`The input isn't the output of pulumi preview --json: ${reason}.`);
}

/** More errors would hide the first one. */
const mostErrors = 5;

function failed(lines: readonly string[]): UsageError {
  const more = lines.length - mostErrors;
  const rest = more > 0 ? [`and ${more} more errors`] : [];
  const listed = [...lines.slice(0, mostErrors), ...rest].map((line) => `\n  ${escaped(line)}`);
  return new UsageError(`The preview failed, so nothing is known of its change:${listed.join("")}`);
}

/** The first line of a message, without the severity before it. The engine and Node.js write colors as `<{%reset%}>` and as codes. */
function lineOf(message: string): string {
  const text = message.replaceAll(/<\{%[^%]*%\}>|\u001b\[[\d;]*m/g, "").trim();
  return text
    .replace(/^(warning|error): /, "")
    .split("\n", 1)
    .join("");
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
  const details = first?.detailedDiff ?? undefined;
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
      isReplaced: ops.some((op) => op.includes("replace")),
      details: details && Object.keys(details),
      isSame: ops.every((op) => op === "same"),
      isImported: ops.some((op) => op.startsWith("import")),
    },
  ];
}

/** Of a provider of the plugin. */
export const providerType = "pulumi:providers:user-groups";

function providersIn(steps: readonly Step[]): Map<string, PreviewedState> {
  const own = steps.flatMap(({ urn, oldState, newState }): [string, PreviewedState][] => {
    const shown = newState ?? oldState;
    return shown?.type === providerType ? [[urn, shown]] : [];
  });
  return new Map(own);
}
