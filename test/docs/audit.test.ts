import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "./pages";
import { ended } from "../harness/ended";
import { portOf } from "../harness/portOf";

const bulk = "/-/npm/v1/security/advisories/bulk";

describe("npm run audit", () => {
  let server: Server;
  let folder: string;
  let asked: string[];
  let answer: (response: ServerResponse) => void;
  beforeEach("an audit service", async () => {
    asked = [];
    folder = await mkdtemp(join(tmpdir(), "user-groups-audit-"));
    server = createServer((request, response) => {
      asked.push(pathOf(request));
      if (request.method === "POST") answer(response);
      else response.writeHead(404).end("{}");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterEach("its end", async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  const audit = async (registry = urlOf(server)) => {
    const flags = ["--registry", registry, "--fetch-retries=0", "--cache", folder];
    const child = spawn(process.execPath, ["release/audit.mjs", ...flags], { cwd: repository });
    return ended(child);
  };

  it("passes where nothing is known of any package", async () => {
    answer = (response) => response.end("{}");
    const { code, output } = await audit();
    assert.equal(output, "Audited: 0 packages with known vulnerabilities, none of level high or worse.\n");
    assert.deepEqual([code, asked], [0, [`POST ${bulk}`]]);
  });

  it("fails where one of level high is known, and names its package", async () => {
    answer = (response) => response.end(advisoryOf("node-fetch", "high"));
    const { code, output } = await audit();
    assert.match(
      output,
      /^high: node-fetch https:\/\/advisories\.example\/1\n[^]*^Audited: \d+ packages .* must go\.\n$/m,
    );
    assert.equal(code, 1);
  });

  it("only tells of one of a lower level", async () => {
    answer = (response) => response.end(advisoryOf("node-fetch", "moderate"));
    const { code, output } = await audit();
    assert.match(
      output,
      /^moderate: node-fetch https:\/\/advisories\.example\/1\n[^]*none of level high or worse\.\n$/m,
    );
    assert.equal(code, 0);
  });

  it("doesn't look at what only the tests need", async () => {
    answer = (response) => response.end(advisoryOf("mocha", "critical"));
    const { code, output } = await audit();
    assert.doesNotMatch(output, /mocha/);
    assert.equal(code, 0);
  });

  it("passes and says so where the service is none", async () => {
    answer = (response) => response.writeHead(405).end();
    const { code, output } = await audit();
    assert.equal(output, "Not audited: the audit service can't be asked (status 405).\n");
    assert.equal(code, 0);
  });

  it("passes and says so where there is no way to the service", async () => {
    const url = urlOf(server);
    await once(server.close(), "close");
    const { code, output } = await audit(url);
    assert.equal(output, "Not audited: the audit service can't be asked (ECONNREFUSED).\n");
    assert.equal(code, 0);
  });

  it("fails where npm can't audit for another reason", async () => {
    const child = spawn(process.execPath, ["release/audit.mjs", "--workspace", "none-such"], {
      cwd: repository,
      stdio: "ignore",
    });
    await once(child, "close");
    assert.equal(child.exitCode, 1);
  });
});

function pathOf({ method = "", url = "" }: IncomingMessage): string {
  return `${method} ${url}`;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${portOf(server)}`;
}

function advisoryOf(name: string, severity: string): string {
  const advisory = { id: 1, url: "https://advisories.example/1", title: "Made up", severity };
  return JSON.stringify({
    [name]: [{ ...advisory, vulnerable_versions: "<99.0.0", cwe: [], cvss: { score: 7 } }],
  });
}
