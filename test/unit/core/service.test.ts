import assert from "node:assert/strict";
import { addressChange } from "../../../provider/src/core/deployment/service";
import { unknownValue } from "../../../provider/src/values";
import { testDeployment } from "../../harness/testDeployment";

const [one, two] = ["https://one.example", "https://two.example"];
const message =
  /^Cannot update it: the state belongs to the service at https:\/\/one\.example, but user-groups:baseUrl \(or USER_GROUPS_BASE_URL\) is https:\/\/two\.example\. No request was sent\. Set the address to https:\/\/one\.example\. If the service has moved, set user-groups:formerBaseUrl \(or USER_GROUPS_FORMER_BASE_URL\) to https:\/\/one\.example until /;

describe("a change of the service's address", () => {
  const eu = { connection: "eu" };
  const cases: [expected: string, olds: object, news: object, settings: Record<string, string>][] = [
    ["none", { baseUrl: one }, {}, { baseUrl: one }],
    ["none", { baseUrl: one }, {}, { baseUrl: "https://ONE.example:443//" }],
    ["none", { baseUrl: "https://ONE.example/" }, {}, { baseUrl: one }],
    ["none", {}, {}, { baseUrl: two }],
    ["none", { baseUrl: one }, {}, {}],
    ["service-changed", { baseUrl: one }, {}, { baseUrl: two }],
    ["state-only", { baseUrl: one }, {}, { baseUrl: two, formerBaseUrl: `${one}/` }],
    ["other-service", { baseUrl: one }, { connection: unknownValue }, { baseUrl: one }],
    ["state-only", { baseUrl: one }, eu, { baseUrl: two, "eu.baseUrl": `${one}/` }],
    ["other-service", { baseUrl: one }, eu, { baseUrl: one, "eu.baseUrl": two }],
    ["state-only", { baseUrl: one }, eu, { "eu.baseUrl": two, "eu.formerBaseUrl": one }],
    ["other-service", { baseUrl: one }, eu, { baseUrl: one }],
    ["state-only", { baseUrl: one, ...eu }, {}, { baseUrl: one }],
    ["other-service", { baseUrl: one, ...eu }, {}, { baseUrl: two }],
    ["state-only", {}, eu, { baseUrl: one, "eu.baseUrl": one }],
    ["other-service", {}, eu, {}],
  ];
  for (const [expected, olds, news, settings] of cases)
    it(`is ${expected} from ${JSON.stringify(olds)} to ${JSON.stringify(news)} with ${JSON.stringify(settings)}`, () => {
      const change = () => addressChange({ ...olds }, { ...news }, testDeployment(settings), "update it");
      if (expected === "service-changed") assert.throws(change, { code: expected, message });
      else assert.equal(change(), expected);
    });
});
