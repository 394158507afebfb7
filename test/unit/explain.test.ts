import assert from "node:assert/strict";
import type { Subject } from "../../provider/src/errors";
import * as explain from "../../provider/src/explain";
import { baseUrl, create, exchanged, read, remove, secrets, url } from "./subjects";

describe("explain: a status", () => {
  const token = "the API token was not accepted";
  const nothing = "nothing was found at this address";
  const stale = "Its token may be stale: run pulumi refresh and try again, or pulumi destroy --refresh.";
  const noReason =
    "It gives no reason: check the group's ID, name, mapping and properties against what it knows.";
  const unknown = "the service answered in a way that its contract doesn't know";
  const statuses: [status: number, subject: Subject, code: string, cause: string, wayOut: string][] = [
    [401, create, "unauthorized", token, "Check user-groups:apiToken (or USER_GROUPS_API_TOKEN)."],
    [403, remove, "unauthorized", token, "Check user-groups:eu.apiToken (or USER_GROUPS_EU_API_TOKEN)."],
    [404, create, "not-found", nothing, `Check ${baseUrl}.`],
    [410, create, "not-found", nothing, `Check ${baseUrl}.`],
    [418, read, "unexpected-status", unknown, `Check ${baseUrl}, and the service itself.`],
  ];
  for (const [status, subject, code, cause, wayOut] of statuses) {
    it(`${status} to ${subject.operation} is told with its way out`, () => {
      const path =
        subject === remove ? `status ${status} to DELETE ${url}` : `status ${status} to GET ${url}`;
      const { message } = explain.explainStatus(exchanged(subject, { status }), false);
      assert.equal(message, `Cannot ${inWords(subject)}: ${cause} (${path}). ${wayOut} [${code}]`);
    });
  }

  it("with success 0 is told as a refusal, with the way out of the operation", () => {
    for (const status of [200, 400, 404, 500]) {
      const read0 = explain.explainStatus(exchanged(read, { status }), true).message;
      const cause = `the service refused (success 0, status ${status} to`;
      assert.equal(read0, `Cannot ${inWords(read)}: ${cause} GET ${url}). ${noReason} [service-refused]`);
      const delete0 = explain.explainStatus(exchanged(remove, { status }), true).message;
      assert.equal(delete0, `Cannot ${inWords(remove)}: ${cause} DELETE ${url}). ${stale} [service-refused]`);
    }
  });

  it("with success 0 that refuses the API token is told as that", () => {
    for (const status of [401, 403])
      assert.equal(explain.explainStatus(exchanged(read, { status }), true).code, "unauthorized");
  });

  it("that redirects is told with the origin that it leads to", () => {
    const answer = { status: 302, redirectsTo: "https://elsewhere.example", attempts: 2 };
    assert.equal(
      explain.explainStatus(exchanged(create, answer), false).message,
      'Cannot create user group "acme": the service redirected to https://elsewhere.example, which is not followed ' +
        `(status 302 to GET ${url}, 2 attempts). Set ${baseUrl} to the service's own address. [redirected]`,
    );
  });
});

describe("explain: a flaw", () => {
  it("is told with its place", () => {
    const flaw = { place: "user_group.token", reason: "must be a string" };
    assert.equal(
      explain.explainFlaw(flaw, exchanged(read, { body: { user_group: { token: 7 } } })).message,
      `Cannot read user group "acme": the answer's user_group.token must be a string (GET ${url}). Check that ` +
        `${baseUrl} is the address of the service's API; nothing was recorded. [answer-invalid]`,
    );
  });

  it("is told of the body where it has no place, or of no JSON", () => {
    const flaw = { place: "", reason: "must be an object" };
    const { message } = explain.explainFlaw(flaw, exchanged(create, { body: [] }));
    assert.match(message, /: the answer's body must be an object \(/);
    const { message: other } = explain.explainFlaw(flaw, exchanged(create, { body: undefined }));
    assert.match(other, /: the answer is not JSON \(/);
  });
});

describe("explain: another group", () => {
  it("is told without its ID or token", () => {
    const { code, message } = explain.explainWrongGroup(exchanged(create, { body: secrets }));
    assert.equal(code, "wrong-group");
    assert.match(message, /^Cannot create user group "acme": the answer is about another group: /);
    assert.match(
      message,
      / Its token was not stored\. Report it to the service; a cache in between may be the cause\. /,
    );
    assert.doesNotMatch(message, /s3cret/);
  });
});

function inWords({ operation, userGroupId, connection }: Subject): string {
  return `${operation} user group "${userGroupId}"${connection === undefined ? "" : ` (connection "${connection}")`}`;
}
