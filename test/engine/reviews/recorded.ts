/** Previews of the real engine and their reviews, in test/support/fixtures/reviews: without what differs from run to run. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { repository } from "../../support/engine/programs";

const folder = join(repository, "test/support/fixtures/reviews");

export type Form = "dynamic" | "plugin";

export function readRecorded(form: Form, title: string) {
  return readFileSync(fileOf(form, title, "json"), "utf8");
}

/** The same for both forms. */
export function readReview(title: string): string {
  return readFileSync(fileOf("", title, "txt"), "utf8").trimEnd();
}

export function record(form: Form, title: string, preview: string, review: string): void {
  for (const each of ["dynamic", "plugin"]) mkdirSync(join(folder, each), { recursive: true });
  writeFileSync(fileOf(form, title, "json"), `${JSON.stringify(stable(preview), null, 2)}\n`);
  writeFileSync(fileOf("", title, "txt"), `${review}\n`);
}

function fileOf(form: Form | "", title: string, extension: string): string {
  return join(folder, form, `${title.replaceAll(" ", "-")}.${extension}`);
}

const properties = z.record(z.string(), z.unknown()).optional();
const state = z.object({
  urn: z.string(),
  type: z.string(),
  inputs: properties,
  outputs: properties,
  protect: z.boolean().optional(),
});
const preview = z.object({
  config: z.record(z.string(), z.string()).optional(),
  steps: z.array(
    z.object({
      op: z.string(),
      urn: z.string(),
      provider: z.string().optional(),
      oldState: state.optional(),
      newState: state.optional(),
      detailedDiff: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
  diagnostics: z
    .array(z.object({ urn: z.string().optional(), message: z.string(), severity: z.string() }))
    .optional(),
});

function stable(text: string): unknown {
  const shown = preview.parse(JSON.parse(text));
  shown.steps.sort((one, other) => (one.urn < other.urn ? -1 : 1));
  const readable = JSON.stringify(shown, (key, value: unknown) => (key.startsWith("__") ? undefined : value));
  return JSON.parse(
    readable
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://analytics.example.com")
      .replaceAll(/::[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=")/g, "::id"),
  );
}
