import { rm } from "node:fs/promises";
import { installed } from "../installed";

it("examples/kubernetes compiles", async () => {
  await rm(await installed("kubernetes", "--ignore-scripts"), { recursive: true });
});
