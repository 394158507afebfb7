/** Which operations of one deployment wait for each other. */
import assert from "node:assert/strict";
import { inTurn, type ResourceContext } from "../../../provider/core/deployment/context";
import { resourceOf } from "../../../provider/values";
import { newTestDeployment } from "../../support/harness/product";

function newContext(): ResourceContext {
  const deployment = newTestDeployment({ settings: { baseUrl: "https://one.example", apiToken: "t0ken" } });
  const settings = deployment.settings.complete();
  const operation = {
    resource: resourceOf("one"),
    subject: "test",
    provider: undefined,
    warn: () => undefined,
  };
  return { ...deployment, ...operation, settings };
}

for (const [one, other, isQueued] of [
  ["acme", "acme", true],
  ["Acme Corp", "acme\u00a0corp", true],
  ["ﬁn", "fin", true],
  ["acme", "acme~d52622c6", true],
  ["acme", "acme~d52622c", false],
  ["acme", "globex", false],
] as const)
  it(`an operation on ${JSON.stringify(other)} ${isQueued ? "waits for" : "runs beside"} one on ${JSON.stringify(one)}`, async () => {
    const context = newContext();
    const events: string[] = [];
    let end: () => void = () => undefined;
    const first = inTurn("create", one, context, async () => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      events.push("first");
    });
    const second = inTurn("create", other, context, async () => {
      await Promise.resolve();
      events.push("second");
    });
    if (!isQueued) await second;
    end();
    // The first one may not have begun.
    while (!events.includes("first")) {
      await new Promise((resolve) => setImmediate(resolve));
      end();
    }
    await Promise.all([first, second]);
    assert.deepEqual(events, isQueued ? ["first", "second"] : ["second", "first"]);
  });
