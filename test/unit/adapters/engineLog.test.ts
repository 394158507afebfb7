/** The log of a provider's process, with engines that take the lines, and others that don't. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { credentials } from "@grpc/grpc-js";
import * as service from "@pulumi/pulumi/proto/engine_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/engine_pb";
import { EngineLog } from "../../../provider/adapters/engineLog";
import { EngineLogServer } from "../../support/harness/pluginProcess";

const stack = "urn:pulumi:dev::tests::pulumi:pulumi:Stack::tests-dev";
const many = "parent:index:Parent$pulumi-nodejs:dynamic/user-groups:UserGroups::tenants";
const one = "pulumi-nodejs:dynamic/user-groups:UserGroup::acme";

describe("a log for the engine", () => {
  const servers: { stop(): void }[] = [];
  let lines: string[];
  let written: string[];
  beforeEach(() => {
    lines = [];
    written = [];
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.stop();
  });

  /** An engine whose stack has this URN. Its lines have the URN of their resource, or none. */
  async function startEngine(root: () => string): Promise<string> {
    const server = await EngineLogServer.start((line, request) => {
      lines.push(`${request.getUrn()} ${line}${request.getEphemeral() ? " (ephemeral)" : ""}`);
    }, root);
    servers.push(server);
    return server.address;
  }

  function newLog(address: string | undefined, patience?: number): EngineLog {
    const write = (text: string) => void written.push(text);
    const log = new EngineLog({
      protocol: () => ({ service, messages, credentials: credentials.createInsecure() }),
      write,
      ...(patience && { patience }),
    });
    if (address !== undefined) log.attach(address);
    return log;
  }

  async function log(to: EngineLog, resource: string): Promise<void> {
    const logger = to.loggerFor(resource);
    logger.info("begun");
    logger.info("half done", true);
    logger.warn("adopted [adopted]");
    await logger.delivered();
  }

  it("stands at the resource, in order, with progress that doesn't stay behind", async () => {
    const begun = newLog(await startEngine(() => stack));
    await log(begun, many);
    const urn = `urn:pulumi:dev::tests::${many}`;
    assert.deepEqual(lines, [
      `${urn} begun`,
      `${urn} half done (ephemeral)`,
      `${urn} warning: adopted [adopted]`,
    ]);
    await log(begun, "urn:pulumi:a::b::c::d");
    assert.equal(lines.at(-1), "urn:pulumi:a::b::c::d warning: adopted [adopted]");
    assert.deepEqual(written, []);
  });

  it("names a resource of many groups where the stack isn't known, until it is", async () => {
    let root = "";
    const begun = newLog(await startEngine(() => root));
    await log(begun, many);
    await log(begun, one);
    assert.deepEqual(
      [lines[0], lines[2], lines[3]],
      [" tenants: begun", " warning: tenants: adopted [adopted]", " begun"],
    );
    root = stack;
    await log(begun, one);
    assert.equal(lines.at(-2), `urn:pulumi:dev::tests::${one} begun`);
  });

  // The engine asks twice for the diff of a resource whose dependency it replaces.
  it("says each warning about a resource once", async () => {
    const begun = newLog(await startEngine(() => stack));
    for (const resource of [one, many, one]) await log(begun, resource);
    const warnings = lines.filter((line) => line.includes("warning:"));
    assert.deepEqual(
      warnings,
      [one, many].map((resource) => `urn:pulumi:dev::tests::${resource} warning: adopted [adopted]`),
    );
  });

  it("is written to stderr without an engine, and with an address at which nobody listens", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    for (const address of [undefined, `127.0.0.1:${port}`]) {
      written = [];
      await log(newLog(address), many);
      const expected = ["tenants: begun\n", "tenants: half done\n", "warning: tenants: adopted [adopted]\n"];
      assert.deepEqual(written, expected);
    }
  });

  it("is written to stderr without the SDK's gRPC package", async () => {
    const none = () => assert.fail("it isn't there");
    const begun = new EngineLog({ protocol: none, write: (text) => void written.push(text) });
    begun.attach(await startEngine(() => stack));
    await log(begun, one);
    assert.deepEqual([written.length, lines.length], [3, 0]);
  });

  it("waits once for an engine that doesn't answer, and takes the next one that attaches", async () => {
    const sockets = new Set<{ destroy(): void }>();
    const silent = createServer((socket) => sockets.add(socket.on("error", () => undefined)));
    servers.push({
      stop: () => {
        silent.close();
        for (const socket of sockets) socket.destroy();
      },
    });
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const begun = newLog(`127.0.0.1:${(silent.address() as AddressInfo).port}`, 500);
    const start = Date.now();
    await log(begun, one);
    assert.deepEqual(written, ["begun\n", "half done\n", "warning: adopted [adopted]\n"]);
    assert(Date.now() - start < 2_000, "each line waited");
    begun.attach(await startEngine(() => stack));
    await log(begun, one);
    assert.equal(lines.length, 3);
  });
});
