/** `npx --no pulumi-user-groups review`: what a previewed change does to customers, for a comment of a pull request. It sends no request. */
import { settingSources } from "../adapters/plugin/settingSources";
import { systemClock } from "../service/http/clock";
import { findSetting, settingsSchema, type Settings } from "../settings/readSettings";
import { escaped, quoted } from "../text";
import { messageOf, UsageError, type Command, type Flags, type Terminal } from "./command";
import { markdownOf } from "./review/markdown";
import { providerType, readPreview, type Preview } from "./review/preview";
import { countsOf, reviewOf } from "./review/review";
import { printedBy, reasonOfPulumi, runPulumi, stackIn } from "./runPulumi";

export const review: Command = {
  summary: "say what a previewed change does to customers",
  usage:
    "pulumi preview --json --show-sames | npx --no pulumi-user-groups review [--json], or npx --no pulumi-user-groups review --stack STACK",

  about: `Reads a preview, from standard input or with --stack, and prints Markdown for a comment of a pull request: which customers are deleted, get a
new token, move, are created or change otherwise, each once; the mappings and the guards that change. Prints no token and no
secret value, and sends no request. The environment has the settings of the preview.`,

  options: {
    stack: {
      value: "STACK",
      text:
        "preview this stack of the project in this folder (pulumi preview --json --show-sames --stack\n" +
        "STACK), instead of reading standard input",
    },
    json: {
      text:
        'print { "counts", "customers": [{ "userGroupId", "name"?, "outcome", "isPossible", "reasons", "overlapHours"?,\n' +
        '"resource", "from"?, "mapping"? }], "guards": [{ "resource", "guard", "before", "after" }], "notes":\n' +
        '[{ "resource", "text" }] }',
    },
  },

  exitCodes: "0 printed, 1 failed, 2 wrong options, no preview, or one that failed",

  async run(flags, terminal) {
    const preview = readPreview(await previewText(flags, terminal));
    const { environment } = terminal;
    const changesOf = (provider: string) => changesIn(preview, provider, environment);
    const found = reviewOf(preview, { changesOf, now: systemClock.date() });
    const asJson = () => JSON.stringify({ counts: countsOf(found), ...found }, null, 2);
    terminal.out(flags.has("json") ? asJson() : markdownOf(found));
    return 0;
  },
};

/** Error: a `UsageError`, if there is none. A preview that fails still prints why. */
async function previewText(flags: Flags, terminal: Terminal): Promise<string> {
  const stack = stackIn(flags);
  if (stack === undefined)
    return terminal
      .readInput("the output of pulumi preview --json --show-sames (or set --stack)")
      .catch((error: unknown) => {
        throw new UsageError(messageOf(error));
      });
  const args = ["preview", "--json", "--show-sames", "--non-interactive", "--stack", stack];
  return runPulumi(args, { env: terminal.environment }).catch((error: unknown) => {
    const printed = printedBy(error);
    if (printed.trim() !== "") return printed;
    const reason = reasonOfPulumi(error) ?? "the command pulumi isn't on the PATH, or failed";
    throw new UsageError(`The stack ${stack} can't be previewed: ${escaped(reason)}`);
  });
}

/** The setting `changes` of the service of a provider. Error: a `UsageError`, if it is invalid. */
function changesIn(
  { configuration, providers }: Preview,
  urn: string,
  environment: Terminal["environment"],
): Settings["changes"] {
  const explicit = providers.get(urn);
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  if (!explicit && urn.includes(providerType) && !name.startsWith("default"))
    throw new UsageError(
      `The preview doesn't show the provider ${quoted(name)}, which doesn't change: run pulumi preview --json --show-sames.`,
    );
  const sources = explicit
    ? settingSources({ name, args: explicit.inputs }, environment)
    : { environment, configuration };
  const found = findSetting("changes", sources);
  const { success, data, error } = settingsSchema.shape.changes.safeParse(found?.value);
  if (success) return data;
  throw new UsageError(`The setting ${escaped(found?.source ?? "changes")} ${error.issues[0]?.message}.`);
}
