/** The environment for a process that must find no settings but its test's. */
export function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(
    ([name]) => !/^USER_GROUPS_|^PULUMI_STACK$|_proxy$/i.test(name),
  );
  return Object.fromEntries(others);
}
