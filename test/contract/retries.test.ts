import assert from "node:assert/strict";
import { many } from "../harness/providers";
import { htmlPage, padded, redirect } from "../harness/responseFaults";
import { acme, behavior, declareEach, declareMany, inModel } from "./contract";
import { fails } from "./stackContext";

describe("contract: HTTP", () => {
  behavior(
    "retries 503 and a broken connection, also at a path",
    { basePath: "/tenant/with%20space" },
    async (context) => {
      context.emulator.fault({ kind: "status", status: 503 });
      context.emulator.fault({ kind: "drop", when: "before" });
      const { warnings } = await context.applies(declareEach({ acme }, { adopt: false }));
      assert.deepEqual(context.requests(), ["GET acme none", "GET acme none", "GET acme created"]);
      assert.deepEqual([warnings, (await context.group("acme"))?.adopted], [[], false]);
    },
  );

  inModel("reports a service that is down for a moment once for each cause", async (context) => {
    context.emulator.fault({ kind: "status", status: 503, times: 12 });
    const { infos } = await context.applies(declareMany(many(12, acme)));
    const reports = infos.filter((line) => line.includes("first attempt"));
    assert.match(reports.join("\n"), /^.*user group "t\d+".*status 503.* retrying for up to 5 s\.$/);
  });

  for (const [fault, code] of [
    [{ kind: "status", status: 404 }, "not-found"],
    [{ kind: "status", status: 501 }, "unexpected-status"],
    [{ kind: "status", status: 401 }, "unauthorized"],
    [{ kind: "refuse" }, "service-refused"],
    [htmlPage(), "response-invalid"],
    [padded(2 ** 21), "response-too-large"],
    [redirect("http://127.0.0.1:9/"), "redirected"],
  ] as const)
    inModel(`reports ${code} after one request, without a token or a value`, async (context) => {
      context.emulator.fault({ ...fault, times: Infinity });
      const { errors } = fails(
        await context.up(declareEach({ acme })),
        new RegExp(`"acme".*\\[${code}\\]`, "s"),
      );
      assert.equal(context.requests().length, 1);
      for (const secret of [context.emulator.apiToken, "Acme", "eu"])
        assert(!errors.includes(secret), errors);
    });
});
