import assert from "node:assert/strict";
import type { Dependencies } from "../../../provider/src/core/lifecycle";
import { DeploymentTracker } from "../../../provider/src/core/deploymentTracker";
import { addressChange, keyOf, openServiceOf } from "../../../provider/src/core/services";
import { unknownValue } from "../../../provider/src/values";
import { instantClock } from "../../harness/clock";

const [one, two] = ["https://one.example", "https://two.example"];
const message =
  /^Cannot update it: the state belongs to the service at https:\/\/one\.example, but user-groups:baseUrl \(or USER_GROUPS_BASE_URL\) is https:\/\/two\.example\. No request was sent\. Set the address to https:\/\/one\.example\. If the service has moved, set user-groups:formerBaseUrl \(or USER_GROUPS_FORMER_BASE_URL\) to https:\/\/one\.example until /;

function dependencies(environment: Record<string, string>): Dependencies {
  return {
    sources: { environment, configuration: { get: () => undefined } },
    tracker: new DeploymentTracker(),
    logger: { info: () => undefined, warn: () => undefined },
    clock: instantClock(),
    signal: new AbortController().signal,
  };
}

describe("a change of the service's address", () => {
  const atOne = { USER_GROUPS_BASE_URL: one };
  const atTwo = { USER_GROUPS_BASE_URL: two };
  const moved = { ...atTwo, USER_GROUPS_FORMER_BASE_URL: `${one}/` };
  const eu = (baseUrl: string) => ({ USER_GROUPS_EU_BASE_URL: baseUrl });
  const cases: [
    what: string,
    olds: object,
    news: object,
    environment: Record<string, string>,
    expected: string,
  ][] = [
    ["the same address", { baseUrl: one }, {}, atOne, "none"],
    [
      "another spelling in the settings",
      { baseUrl: one },
      {},
      { USER_GROUPS_BASE_URL: "https://ONE.example:443//" },
      "none",
    ],
    ["another spelling in the state", { baseUrl: "https://ONE.example/" }, {}, atOne, "none"],
    ["no address in the state", {}, {}, atTwo, "none"],
    ["no address in the settings", { baseUrl: one }, {}, {}, "none"],
    ["another address", { baseUrl: one }, {}, atTwo, "service-changed"],
    ["a former address", { baseUrl: one }, {}, moved, "state-only"],
    ["an unknown connection", { baseUrl: one }, { connection: unknownValue }, atOne, "other-service"],
    [
      "a connection to the same address",
      { baseUrl: one },
      { connection: "eu" },
      { ...atTwo, ...eu(`${one}/`) },
      "state-only",
    ],
    [
      "a connection to another address",
      { baseUrl: one },
      { connection: "eu" },
      { ...atOne, ...eu(two) },
      "other-service",
    ],
    [
      "a connection whose former address it is",
      { baseUrl: one },
      { connection: "eu" },
      { ...eu(two), USER_GROUPS_EU_FORMER_BASE_URL: one },
      "state-only",
    ],
    ["a connection without an address", { baseUrl: one }, { connection: "eu" }, atOne, "other-service"],
    ["no connection, to the same address", { baseUrl: one, connection: "eu" }, {}, atOne, "state-only"],
    ["no connection, to another address", { baseUrl: one, connection: "eu" }, {}, atTwo, "other-service"],
    [
      "a connection, and no address in the state",
      {},
      { connection: "eu" },
      { ...atOne, ...eu(one) },
      "state-only",
    ],
    ["a connection, and no address anywhere", {}, { connection: "eu" }, {}, "other-service"],
  ];
  for (const [what, olds, news, environment, expected] of cases)
    it(`is ${expected} for ${what}`, () => {
      const change = () => addressChange({ ...olds }, { ...news }, dependencies(environment), "update it");
      if (expected === "service-changed") assert.throws(change, { code: expected, message });
      else assert.equal(change(), expected);
    });
});

describe("the service of a state", () => {
  const open = (state: object, environment: Record<string, string>) =>
    openServiceOf(state, dependencies({ USER_GROUPS_API_TOKEN: "t", ...environment }), "update it").settings
      .baseUrl;

  it("opens at the address of the state, at one that it has moved to, or if the state has none", () => {
    assert.equal(open({ baseUrl: `${one}/` }, { USER_GROUPS_BASE_URL: one }), one);
    assert.equal(open({}, { USER_GROUPS_BASE_URL: two }), two);
    const moved = { USER_GROUPS_BASE_URL: two, USER_GROUPS_FORMER_BASE_URL: one };
    assert.equal(open({ baseUrl: one }, moved), two);
  });

  it("never opens at another address", () => {
    for (const environment of [
      { USER_GROUPS_BASE_URL: two },
      { USER_GROUPS_BASE_URL: two, USER_GROUPS_FORMER_BASE_URL: "https://three.example" },
    ])
      assert.throws(() => open({ baseUrl: one }, environment), { code: "service-changed", message });
    assert.throws(() => open({ baseUrl: "http://one.example" }, { USER_GROUPS_BASE_URL: two }), {
      code: "service-changed",
    });
  });
});

describe("the key of a group", () => {
  it("is its service and its ID; without an address the connection stands for the service", () => {
    const keys = [
      keyOf({ baseUrl: one }, undefined, "acme"),
      keyOf({ baseUrl: two }, undefined, "acme"),
      keyOf({ baseUrl: one }, undefined, "globex"),
      keyOf({}, undefined, "acme"),
      keyOf({}, "eu", "acme"),
    ];
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(keyOf({ baseUrl: one }, "eu", "acme"), keys[0]);
  });
});
