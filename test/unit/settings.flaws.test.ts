import assert from "node:assert/strict";
import { readSettings } from "../../provider/src/settings";
import { inEnvironment } from "./environment";

const required = { baseUrl: "https://groups.example", apiToken: "t0ken" };

describe("settings: missing", () => {
  it(
    "are named with both places and the command that sets them",
    failsWith(
      { ...required, baseUrl: undefined },
      "setting-missing",
      "The setting user-groups:baseUrl is missing. Set the environment variable USER_GROUPS_BASE_URL or run " +
        "pulumi config set user-groups:baseUrl. [setting-missing]",
    ),
  );

  it(
    "are set as a secret where they are one",
    failsWith(
      { ...required, apiToken: undefined },
      "setting-missing",
      "The setting user-groups:apiToken is missing. Set the environment variable USER_GROUPS_API_TOKEN or run " +
        "pulumi config set --secret user-groups:apiToken. [setting-missing]",
    ),
  );
});

describe("settings: base URL", () => {
  for (const good of [
    "https://groups.example",
    "https://groups.example:8443/tenant/v1/",
    "http://localhost:8080",
    "http://127.0.0.1",
    "http://127.1.2.3:80/v1",
    "http://[::1]:8080",
  ]) {
    it(
      `may be ${good}`,
      inEnvironment({}, () => {
        assert.equal(read({ ...required, baseUrl: good }).baseUrl.href, new URL(good).href);
      }),
    );
  }

  const scheme = "must be an https URL, or an http URL of a loopback host";
  const credentials = "must hold no user name and no password";
  const query = "must have no query and no fragment";
  const bad: [baseUrl: string, reason: string][] = [
    ["groups.example", "must be an absolute URL"],
    ["/api", "must be an absolute URL"],
    ["", "must be an absolute URL"],
    ["https://", "must be an absolute URL"],
    ["http://groups.example", scheme],
    ["http://localhost.groups.example", scheme],
    ["http://127.0.0.1.groups.example", scheme],
    ["http://10.0.0.1", scheme],
    ["ftp://localhost", scheme],
    ["file:///etc/passwd", scheme],
    ["https://user:s3cret@groups.example", credentials],
    ["https://s3cret@groups.example", credentials],
    ["https://:s3cret@groups.example", credentials],
    ["https://groups.example?key=s3cret", query],
    ["https://groups.example/v1?", query],
    ["https://groups.example/v1#s3cret", query],
    ["https://groups.example#", query],
  ];
  for (const [baseUrl, reason] of bad) {
    it(
      `can't be ${baseUrl || "empty"}`,
      failsWith(
        { ...required, baseUrl },
        "setting-invalid",
        `The setting user-groups:baseUrl ${reason}. [setting-invalid]`,
      ),
    );
  }
});

describe("settings: the others", () => {
  const lineBreak = "must be visible ASCII without white space (look for a line break at its end)";
  const seconds = "must be a number of seconds";
  const whole = "must be a whole number";
  const bad: [flawed: Record<string, string>, reason: string][] = [
    [{ apiToken: "s3cret\n" }, `apiToken ${lineBreak}`],
    [{ apiToken: "s3cret\r\nx-header: 1" }, `apiToken ${lineBreak}`],
    [{ apiToken: "s3cret token" }, `apiToken ${lineBreak}`],
    [{ apiToken: "s3crét" }, `apiToken ${lineBreak}`],
    [{ apiToken: "" }, `apiToken ${lineBreak}`],
    [{ timeout: "1m" }, `timeout ${seconds}`],
    [{ timeout: "-1" }, `timeout ${seconds}`],
    [{ timeout: "1e3" }, `timeout ${seconds}`],
    [{ timeout: "" }, `timeout ${seconds}`],
    [{ timeout: "0" }, "timeout must be more than 0"],
    [{ timeout: "0.0" }, "timeout must be more than 0"],
    [{ timeout: "86401" }, "timeout must be at most 86400 (a day)"],
    [{ maxConnections: "1.5" }, `maxConnections ${whole}`],
    [{ maxConnections: "many" }, `maxConnections ${whole}`],
    [{ maxConnections: "0" }, "maxConnections must be at least 1"],
    [{ maxConnections: "1001" }, "maxConnections must be at most 1000"],
    [{ changes: "Update" }, 'changes must be "replace" or "update"'],
  ];
  for (const [flawed, reason] of bad) {
    it(
      `can't be ${JSON.stringify(flawed)}`,
      failsWith(
        { ...required, ...flawed },
        "setting-invalid",
        `The setting user-groups:${reason}. [setting-invalid]`,
      ),
    );
  }

  it(
    "may be at their limits",
    inEnvironment({}, () => {
      const { timeout, maxConnections } = read({ ...required, timeout: "86400", maxConnections: "1000" });
      assert.deepEqual([timeout, maxConnections], [86_400, 1000]);
      assert.equal(read({ ...required, maxConnections: "1" }).maxConnections, 1);
    }),
  );

  it(
    "are named by the variable that gave them",
    inEnvironment({ USER_GROUPS_MAX_CONNECTIONS: "s3cret" }, () => {
      assert.throws(() => read(required), {
        code: "setting-invalid",
        message: "The setting USER_GROUPS_MAX_CONNECTIONS must be a whole number. [setting-invalid]",
      });
    }),
  );
});

function failsWith(values: Record<string, string | undefined>, code: string, message: string) {
  return inEnvironment({}, () => {
    assert.throws(() => read(values), { code, message });
  });
}

function read(values: Record<string, string | undefined>) {
  return readSettings({ get: (key) => values[key.replace("user-groups:", "")] });
}
