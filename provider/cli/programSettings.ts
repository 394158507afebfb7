/** The settings of the program in this folder: the environment, and the stack's configuration as `pulumi config` prints it. */
import * as z from "zod";
import type { SettingSources } from "../settings/readSettings";
import { escaped } from "../text";
import type { Flags, Options } from "./command";
import { reasonOfPulumi, runPulumi, stackIn } from "./runPulumi";

/** The options of commands that read settings. */
export const settingOptions = {
  stack: { value: "STACK", text: "stack of the settings (default: PULUMI_STACK, or the selected one)" },
} as const satisfies Options;

export interface Sources extends SettingSources {
  /** The keys of the stack's configuration whose values are in plain text. */
  readonly plain: ReadonlySet<string>;
  /** Why the stack's configuration has no values, as the end of a sentence. */
  readonly issue?: string | undefined;
  /** Whether there is a configuration that couldn't be read. Then a setting that isn't found may still be set. */
  readonly isUnread: boolean;
}

const stackConfiguration = z.record(z.string(), z.object({ value: z.string(), secret: z.boolean() }));

/** Throws a `UsageError` for a name of a stack that a shell could take for a command. */
export async function readSources(flags: Flags, environment: Sources["environment"]): Promise<Sources> {
  const stack = stackIn(flags);
  const args = ["config", "--json", "--show-secrets", "--non-interactive"];
  if (stack !== undefined) args.push("--stack", stack);
  try {
    const stdout = await runPulumi(args, { env: environment });
    const entries = Object.entries(stackConfiguration.parse(JSON.parse(stdout)));
    const configuration = new Map(entries.map(([key, { value }]) => [key, value]));
    const plain = new Set(entries.filter(([, { secret }]) => !secret).map(([key]) => key));
    const file = escaped(`Pulumi.${stack ?? environment["PULUMI_STACK"] ?? "<stack>"}.yaml`);
    const issue = entries.length > 0 ? undefined : `is empty: ${file} is missing, or has no settings`;
    return { environment, configuration, plain, issue, isUnread: false };
  } catch (error) {
    const printed = reasonOfPulumi(error);
    const reason = printed ?? "the command pulumi isn't on the PATH, or failed";
    // Outside a project, there is no configuration, except if one was asked for.
    const isOutside = printed === undefined || reason.includes("no Pulumi.yaml project file found");
    const issue = `can't be read: ${escaped(reason)}`;
    const isUnread = !isOutside || stack !== undefined;
    return { environment, configuration: new Map(), plain: new Set(), issue, isUnread };
  }
}
