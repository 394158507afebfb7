/**
 * Runs a test with these variables and no other setting in the environment: none of the product's, no proxy.
 * The environment is the process's, so that a test must end before the next begins.
 */
export function inEnvironment(
  variables: Readonly<Record<string, string>>,
  test: () => Promise<void> | void,
): () => Promise<void> {
  return async () => {
    const outer = process.env;
    process.env = { ...withoutSettings(outer), ...variables };
    try {
      await test();
    } finally {
      process.env = outer;
    }
  };
}

/** What is left of an environment for a process that must find no settings but its test's. */
export function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(
    ([name]) => !/^USER_GROUPS_|^PULUMI_STACK$|_proxy$/i.test(name),
  );
  return Object.fromEntries(others);
}
