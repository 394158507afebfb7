import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { loopbackCertificate } from "../../unit/testing/loopbackCertificate";
import { errorOf, fails, newWorld, requestsTo, succeeds, type Environment } from "../harness";
import { portOf } from "../../harness/portOf";

/** Each case's first connection fails before a request is sent, and the next one succeeds. */
for (const { failure, tls } of [
  { failure: "a reset during the TLS handshake", tls: true },
  { failure: "a timeout of the connection itself (ETIMEDOUT)", tls: false },
]) {
  describe(`adopt: false, after ${failure}`, () => {
    const world = newWorld(
      (emulator) => {
        emulator.putGroup({ userGroupId: "theirs", name: "Tenant" });
        return { program: { "index.js": program, "trusted.pem": loopbackCertificate.cert, "trap.js": trap } };
      },
      tls ? { tls: loopbackCertificate } : {},
    );
    let gate: Gate | undefined;
    beforeEach(async () => {
      if (tls) gate = await startGate(portIn(world.emulator.baseUrl));
      world.emulator.clearRequests();
    });
    afterEach(() => gate?.stop());
    const up = (userGroupId: string) => {
      const { emulator, stack } = world;
      const path = (name: string) => join(stack.folder, name);
      const env: Environment = gate
        ? { USER_GROUPS_BASE_URL: gate.baseUrl, NODE_EXTRA_CA_CERTS: path("trusted.pem") }
        : { NODE_OPTIONS: `--require ${path("trap.js")}`, TRAP_PORT: String(portIn(emulator.baseUrl)) };
      return stack.up({ env: { ...env, GROUP: userGroupId } });
    };

    it("refuses a group that exists as after no failure at all, and doesn't record it", async () => {
      assert.match(errorOf(fails(await up("theirs")), "theirs"), /\[adoption-refused\]/);
      assert.deepEqual(requestsTo(world.emulator), ['GET "theirs" returned 200']);
      assert(!(await world.stack.resources()).some(({ name }) => name === "theirs"));
      if (gate) assert.equal(gate.resets, 1);
    });

    it("creates a group that doesn't exist", async () => {
      succeeds(await up("ours"));
      assert.deepEqual(requestsTo(world.emulator, "ours"), ['GET "ours" created 200']);
      assert.equal((await world.stack.resource("ours")).outputs["adopted"], false);
      if (gate) assert.equal(gate.resets, 1);
    });
  });
}

interface Gate {
  readonly baseUrl: string;
  /** How many connections it has reset. */
  readonly resets: number;
  stop(): Promise<void>;
}

/** Resets the first connection at its first byte, which begins the TLS handshake, and passes all others on. */
async function startGate(port: number): Promise<Gate> {
  let resets = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    sockets.add(client.on("error", () => client.destroy()));
    if (resets === 0) {
      resets += 1;
      return void client.once("data", () => client.resetAndDestroy());
    }
    const service = connect(port, "127.0.0.1").on("error", () => client.destroy());
    sockets.add(service);
    client.pipe(service).pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    baseUrl: `https://127.0.0.1:${portOf(server)}`,
    get resets() {
      return resets;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), "close");
    },
  };
}

function portIn(baseUrl: string): number {
  return Number(new URL(baseUrl).port);
}

/** The first connection to the service fails as the system reports a host that never responds. */
const trap = `
  const { Socket } = require("node:net");
  const { connect } = Socket.prototype;
  let isFirst = true;
  Socket.prototype.connect = function (...args) {
    const [{ port }] = [args[0]].flat();
    if (!isFirst || String(port) !== process.env.TRAP_PORT) return connect.apply(this, args);
    isFirst = false;
    this.connecting = true;
    const error = Object.assign(new Error("connect ETIMEDOUT"), { code: "ETIMEDOUT", syscall: "connect" });
    process.nextTick(() => this.destroy(error));
    return this;
  };
`;

const program = `
  const { UserGroup } = require("pulumi-user-groups");
  const userGroupId = process.env.GROUP;
  new UserGroup(userGroupId, { userGroupId, name: "Tenant", adopt: false });
`;
