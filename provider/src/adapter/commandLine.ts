/** The command in the engine's command line. The engine's protocol doesn't name it. */

const commands = /^(up|update|preview|pre|refresh|import|watch|destroy|down|dn)$/;

/** Whether `pulumi` with these arguments is `pulumi destroy`; undefined: not known. */
export function isDestroyCommand(args: readonly string[]): boolean | undefined {
  const command = args.find((arg) => commands.test(arg));
  return command === undefined ? undefined : /^(destroy|down|dn)$/.test(command);
}
