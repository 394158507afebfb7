/** The command in the engine's command line. The engine's protocol doesn't name it. */

const commands = /^(up|update|preview|pre|refresh|import|watch|destroy|down|dn)$/;

/**
 * Whether `pulumi` with these arguments is `pulumi destroy`; undefined: not known. A stack or a folder may be named like a command, so it is
 * known only if one word fits.
 */
export function isDestroyCommand(args: readonly string[]): boolean | undefined {
  const words = args.filter((arg) => commands.test(arg));
  const [command] = words;
  if (command === undefined || words.length > 1) return undefined;
  return /^(destroy|down|dn)$/.test(command);
}
