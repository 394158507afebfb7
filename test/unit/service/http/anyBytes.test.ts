import { join } from "node:path";
import { succeeds } from "../../../harness/run";
import { isWhole } from "../../../harness/whole";
import { runTrusting } from "./child";

/** For each of four places. */
const count = isWhole ? 1000 : 50;

describe("a request to a service or a proxy that sends any bytes", () => {
  it("ends in its time, with a response or an error of the transport, and leaves no connection", async () => {
    succeeds(await runTrusting(join(__dirname, "anyBytes.ts"), [String(count)]));
  }).timeout("900s");
});
