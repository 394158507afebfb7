// The emulator in a process of its own, so that it shares no event loop with what is measured. Started by service.ts.
import { startEmulator, type Emulator } from "pulumi-user-groups/testing";

void main();

async function main(): Promise<void> {
  const traffic = { requests: 0, peakConnections: 0 };
  const emulator = await startEmulator({
    keepRequests: false,
    latency: Number(process.argv[2]),
    // The peer can't send the token of the group that it deletes.
    deleteNeeds: ["user_group_id"],
    log: () => {
      traffic.requests += 1;
      traffic.peakConnections = Math.max(traffic.peakConnections, emulator.openConnections);
    },
  });
  let opened = 0;
  process.on("message", () => {
    report({ ...traffic, connections: emulator.connections - opened, groups: emulator.groups.size });
    opened = emulator.connections;
    Object.assign(traffic, { requests: 0, peakConnections: 0 });
  });
  process.once("disconnect", () => void emulator.stop());
  report(addressOf(emulator));
}

function addressOf({ baseUrl, apiToken }: Emulator): object {
  return { baseUrl, apiToken };
}

function report(message: object): void {
  process.send?.(message);
}
