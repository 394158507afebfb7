import { installed } from "../installed";

it("examples/kubernetes compiles in a clone", async () => {
  const clone = await installed("kubernetes");
  await clone.remove();
});
