import { installed } from "../installed";

it("examples/kubernetes compiles in a clone", async () => {
  const { remove } = await installed("kubernetes");
  await remove();
});
