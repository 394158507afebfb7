import { join } from "node:path";
import { succeeds } from "../../../harness/run";
import { runTrusting } from "./child";

const batches = process.env["RELIABILITY"] === "whole" ? 100 : 5;

describe("a request to a service or a proxy that sends any bytes", () => {
  it("ends in its time, with a response or an error of the transport, and leaves no connection", async () => {
    succeeds(await runTrusting(join(__dirname, "anyBytes.ts"), [String(batches)]));
  }).timeout("120s");
});
