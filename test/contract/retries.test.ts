import assert from "node:assert/strict";
import { htmlPage, padded, redirect } from "../harness/responseFaults";
import { acme, behavior, behaviorInModel, declareEach, declareMany } from "./contract";
import { fails } from "./stackContext";

describe("contract: HTTP", () => {
  behavior(
    "retries 503 and a broken connection, also at an address with a path",
    async (context) => {
      context.emulator.fault({ kind: "status", status: 503 });
      context.emulator.fault({ kind: "drop", when: "before" });
      const { warnings } = await context.applies(declareEach({ acme }, { adopt: false }));
      assert.deepEqual(context.requests(), ["GET acme none", "GET acme none", "GET acme created"]);
      assert.deepEqual([warnings, (await context.group("acme"))?.adopted], [[], false]);
    },
    { basePath: "/tenant/with%20space" },
  );

  behaviorInModel(
    "reports a service that is down for a moment once for each cause, and many pauses print no warning of Node.js",
    async (context) => {
      const warnings: Error[] = [];
      const listener = (warning: Error) => void warnings.push(warning);
      process.on("warning", listener);
      context.emulator.fault({ kind: "status", status: 503, times: 12 });
      const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
      const { infos } = await context.applies(declareMany(Object.fromEntries(ids.map((id) => [id, acme]))));
      process.off("warning", listener);
      assert.deepEqual(warnings, []);
      const reports = infos.filter((line) => line.includes("first attempt"));
      assert.match(
        reports.join("\n"),
        /^The first attempt to create user group "t\d+" failed: the service returned status 503 \(GET .*\/api\/user\); retrying for up to 5 s\.$/,
      );
    },
  );

  for (const form of ["seconds", "date"] as const)
    behaviorInModel(
      `keeps to a Retry-After in ${form}, and to no longer one than the time-out`,
      async (context) => {
        // The date is rounded down to a second, and the request follows later.
        const retryAfter = form === "seconds" ? 2 : new Date(Date.now() + 4_000).toUTCString();
        context.emulator.fault({ kind: "status", status: 503, retryAfter });
        await context.applies(declareEach({ acme }));
        const [first, second] = context.emulator.requests.map(({ receivedAt }) => receivedAt);
        const waited = (second ?? 0) - (first ?? Infinity);
        const least = form === "seconds" ? 1.5 : 0.5;
        assert(waited > least * context.driver.second, `waited ${waited} ms`);
        context.requests();
        context.emulator.fault({ kind: "status", status: 503, retryAfter: 60 });
        fails(
          await context.up(declareEach({ beta: acme })),
          /asked for a pause of 60 s.*\[unexpected-status\]/,
        );
        assert.deepEqual(context.requests(), ["GET beta none"]);
      },
    );

  for (const [fault, code] of [
    [{ kind: "status", status: 404 }, "not-found"],
    [{ kind: "status", status: 501 }, "unexpected-status"],
    [{ kind: "status", status: 401 }, "unauthorized"],
    [{ kind: "refuse" }, "service-refused"],
    [htmlPage(), "response-invalid"],
    [padded(2 ** 21), "response-too-large"],
    [redirect("http://127.0.0.1:9/"), "redirected"],
  ] as const)
    behaviorInModel(`reports ${code} after one request, without a token or a value`, async (context) => {
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
