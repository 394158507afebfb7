import { join } from "node:path";
import { succeeds } from "../../../harness/run";
import { runTrusting } from "./child";

/** For each of four places. */
const count = process.env["RELIABILITY"] === "whole" ? 1000 : 50;

describe("a request to a service or a proxy that sends any bytes", () => {
  it("ends in its time, with a response or an error of the transport, and leaves no connection", async () => {
    succeeds(await runTrusting(join(__dirname, "anyBytes.ts"), [String(count)]));
  }).timeout("900s");
});
