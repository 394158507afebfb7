/** What one deployment reads. */
import assert from "node:assert/strict";
import { newDeployment } from "../../../provider/core/deployment/context";

it("the settings of a deployment are read once", () => {
  const environment: Record<string, string> = { USER_GROUPS_BASE_URL: "https://one.example" };
  const { settings } = newDeployment({ environment, configuration: { get: () => undefined } });
  const before = settings.partial();
  environment["USER_GROUPS_BASE_URL"] = "https://two.example";
  assert.deepEqual(
    [before.baseUrl, settings.partial().baseUrl],
    ["https://one.example", "https://one.example"],
  );
});
