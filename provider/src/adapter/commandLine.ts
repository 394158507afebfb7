/** The command in the engine's command line. The engine's protocol doesn't name it. */

const commands = /^(up|update|preview|pre|refresh|import|watch|destroy|down|dn)$/;

/** The options of `pulumi` itself that take no value. Before the command, each other option takes the next word as its value. */
const flags =
  /^(-[eQh]|--(emoji|fully-qualify-stack-names|logflow|logtostderr|non-interactive|disable-integrity-checking|help))$/;

/** Whether `pulumi` with these arguments is `pulumi destroy`; undefined: not known. */
export function isDestroyCommand(args: readonly string[]): boolean | undefined {
  const command = commandIn(args);
  return command === undefined ? undefined : /^(destroy|down|dn)$/.test(command);
}

/** The first word that is no option and no value of one. A stack or a folder may be named like a command. */
function commandIn(args: readonly string[]): string | undefined {
  let isValue = false;
  for (const arg of args) {
    if (isValue) {
      isValue = false;
      continue;
    }
    if (!arg.startsWith("-")) return commands.test(arg) ? arg : undefined;
    isValue = !arg.includes("=") && !flags.test(arg);
  }
  return onlyCommandIn(args);
}

/** An option that isn't known may have taken the command for its value. */
function onlyCommandIn(args: readonly string[]): string | undefined {
  const words = args.filter((arg) => commands.test(arg));
  return words.length === 1 ? words[0] : undefined;
}
