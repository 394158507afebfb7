import assert from "node:assert/strict";
import { behavior, behaviorOfBoth, declareEach, fails, resource, succeeds } from "./contract";
import { changedField, htmlPage, padded, redirect } from "../harness/responseFaults";

const acme = { name: "Acme", mapping: { sales: "one" }, properties: { region: "eu" } };

describe("contract: refresh", () => {
  behaviorOfBoth(
    "creates a group again that was gone, with a warning, and records its token",
    async (context, declare) => {
      await context.applies(declare({ acme }));
      context.emulator.removeGroup("acme");
      const { warnings } = succeeds(await context.refresh());
      assert.match(warnings.join("\n"), /"acme".*new token/s);
      assert.equal((await context.group("acme"))?.token, context.token("acme"));
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, acme.mapping);
    },
  );

  behaviorOfBoth("records a token that the service changed", async (context, declare) => {
    await context.applies(declare({ acme }));
    const { token } = context.emulator.rotateToken("acme");
    succeeds(await context.refresh());
    assert.equal((await context.group("acme"))?.token, token);
  });

  behaviorOfBoth("shows a drift, and the next up repairs it once", async (context, declare) => {
    const program = declare({ acme });
    await context.applies(program);
    context.emulator.renameGroup("acme", "Theirs");
    succeeds(await context.refresh());
    assert.match(JSON.stringify((await context.preview(program)).changes), /replace|update/);
    await context.applies(program);
    assert.equal(context.emulator.groups.get("acme")?.name, "Acme");
    context.requests();
    await context.applies(program);
    assert.deepEqual(context.requests(), []);
  });

  behaviorOfBoth("takes absent properties for no drift", async (context, declare) => {
    const program = declare({ acme });
    await context.applies(program);
    context.emulator.fault(changedField("user_group.properties"));
    succeeds(await context.refresh());
    context.requests();
    await context.applies(program);
    assert.deepEqual(context.requests(), []);
  });

  behavior("a lookup returns what the service has", async (context) => {
    const { token } = context.emulator.putGroup({ userGroupId: "acme", ...acme });
    await context.applies([
      resource("found", "userGroup", { userGroupId: "acme", name: "Acme" }, { isLookup: true }),
    ]);
    const group = await context.group("acme");
    assert.deepEqual([group?.token, group?.properties], [token, acme.properties]);
    succeeds(await context.destroy());
    assert(context.token("acme"));
  });

  behavior(
    "a lookup with a name only is refused with changes: update",
    async (context) => {
      context.emulator.putGroup({ userGroupId: "acme", ...acme });
      const program = [
        resource("found", "userGroup", { userGroupId: "acme", name: "X" }, { isLookup: true }),
      ];
      fails(await context.up(program), /\[setting-conflict\]/);
      assert.deepEqual(context.emulator.groups.get("acme")?.mapping, acme.mapping);
    },
    { existing: "update", settings: { changes: "update" } },
  );
});

describe("contract: deletion", () => {
  behaviorOfBoth("sends the token and the ID", async (context, declare) => {
    await context.applies(declare({ acme }));
    const token = context.token("acme");
    context.emulator.clearRequests();
    succeeds(await context.destroy());
    assert.deepEqual(context.bodies(), [{ current_token: token, user_group_id: "acme" }]);
    assert.equal(context.emulator.groups.size, 0);
  });

  behaviorOfBoth("that the service refuses is an error, and the state stays", async (context, declare) => {
    await context.applies(declare({ acme }));
    context.emulator.rotateToken("acme");
    fails(await context.destroy(), /"acme".*\[service-refused\]/s);
    assert(await context.group("acme"));
    assert(context.token("acme"));
    succeeds(await context.refresh());
    succeeds(await context.destroy());
    assert.equal(context.emulator.groups.size, 0);
  });

  behaviorOfBoth("of a group that is gone succeeds, and leaves none", async (context, declare) => {
    await context.applies(declare({ acme }));
    context.emulator.removeGroup("acme");
    succeeds(await context.destroy());
    assert.equal(context.emulator.groups.size, 0);
    assert.equal((await context.resources()).length, 0);
  });

  behaviorOfBoth("whose response is lost succeeds", async (context, declare) => {
    await context.applies(declare({ acme }));
    context.emulator.fault({ kind: "drop", when: "after", method: "DELETE" });
    succeeds(await context.destroy());
    assert.equal(context.emulator.groups.size, 0);
  });
});

describe("contract: the service's address", () => {
  behaviorOfBoth("that isn't the state's is refused before any request", async (context, declare) => {
    const program = declare({ acme });
    await context.applies(program);
    const token = context.token("acme");
    context.settings["baseUrl"] = context.other.baseUrl;
    fails(await context.preview(declare({ acme: { ...acme, name: "New" } })), /\[service-changed\]/);
    for (const run of [await context.up(program), await context.refresh(), await context.destroy()])
      fails(run, /\[service-changed\]/);
    assert.deepEqual([context.other.requests.length, (await context.group("acme"))?.token], [0, token]);
  });

  behaviorOfBoth("is taken over if formerBaseUrl names the state's", async (context, declare) => {
    await context.applies(declare({ acme }));
    const { token } = context.other.putGroup({ userGroupId: "acme", ...acme });
    Object.assign(context.settings, {
      baseUrl: context.other.baseUrl,
      formerBaseUrl: context.emulator.baseUrl,
    });
    succeeds(await context.refresh());
    assert.equal((await context.group("acme"))?.token, token);
    delete context.settings["formerBaseUrl"];
    succeeds(await context.destroy());
    assert.equal(context.other.groups.size, 0);
  });

  behaviorOfBoth("may be spelled otherwise", async (context, declare) => {
    await context.applies(declare({ acme }));
    context.settings["baseUrl"] = `${context.emulator.baseUrl}/`;
    succeeds(await context.refresh());
    succeeds(await context.destroy());
    assert.equal(context.emulator.groups.size, 0);
  });

  behavior(
    "of a connection: another one moves the group, the same one changes the state only",
    async (context) => {
      const program = (connection: string) => [
        resource("acme", "userGroup", { userGroupId: "acme", ...acme, connection }),
      ];
      const { baseUrl, apiToken } = context.emulator;
      for (const [name, url] of [
        ["a", baseUrl],
        ["b", `${baseUrl}/`],
        ["c", context.other.baseUrl],
      ] as const)
        Object.assign(context.settings, { [`${name}.baseUrl`]: url, [`${name}.apiToken`]: apiToken });
      await context.applies(program("a"));
      context.requests();
      await context.applies(program("b"));
      assert.deepEqual(context.requests(), []);
      await context.applies(program("c"));
      assert.deepEqual([context.emulator.groups.size, context.other.groups.size], [0, 1]);
    },
    { drivers: ["provider", "engine"] },
  );

  for (const [what, baseUrl] of [
    ["http outside of loopback", "http://groups.example"],
    ["credentials", "https://me:secret@groups.example"],
    ["a query", "https://groups.example?a=b"],
    ["white space inside", "https://groups.example/a\nb"],
  ] as const)
    behavior(
      `with ${what} is refused, and not shown`,
      async (context) => {
        context.settings["baseUrl"] = baseUrl;
        const { errors } = fails(await context.up(declareEach({ acme })), /\[setting-invalid\]/);
        assert.doesNotMatch(errors, /me:secret|a=b/);
      },
      { drivers: ["provider", "engine"] },
    );
});

describe("contract: HTTP", () => {
  behavior("retries 503 and a broken connection", async (context) => {
    context.emulator.fault({ kind: "status", status: 503 });
    context.emulator.fault({ kind: "drop", when: "before" });
    await context.applies(declareEach({ acme }));
    assert.deepEqual(context.requests(), ["GET acme none", "GET acme none", "GET acme created"]);
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
    behavior(`reports ${code} after one request, without a token or a value`, async (context) => {
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
