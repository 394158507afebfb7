import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { errorOf, fails, newWorld, type Result } from "../harness";
import { changedBody } from "../../harness/responseFaults";

const encodings = [
  {
    id: "compressed",
    named: /gzip/,
    headers: { "content-encoding": "gzip" },
    body: (text: string) => gzipSync(text),
  },
  {
    id: "charset",
    named: /UTF-16/i,
    headers: { "content-type": "application/json; charset=utf-16le" },
    body: (text: string) => Buffer.from(text, "utf16le"),
  },
  {
    id: "mark",
    named: /UTF-16/i,
    headers: {},
    body: (text: string) => Buffer.from(`\ufeff${text}`, "utf16le"),
  },
];

describe("a response in an encoding that isn't supported", () => {
  const world = newWorld((emulator) => {
    for (const { id: userGroupId, headers, body } of encodings)
      emulator.fault({ ...changedBody(body, headers), userGroupId, times: Infinity });
    return { program: encoded, env: { USER_GROUPS_TIMEOUT: "5" } };
  });
  let failed: Result;
  before(async () => {
    failed = fails(await world.stack.up({ flags: ["--continue-on-error"] }));
  });

  for (const { id, named } of encodings)
    it(`fails with an error that names the encoding: ${id}`, () => {
      const error = errorOf(failed, id);
      assert.match(error, new RegExp(`"${id}"[^]*\\[response-invalid\\]`));
      assert.match(error, named);
    });
});

/** Longer than any error needs to be: the size of a page of text. */
const fewKilobytes = 8_000;

describe("a refusal of a userGroupId of 100 KB", () => {
  const world = newWorld((emulator) => {
    emulator.fault({ kind: "refuse", times: Infinity });
    return { program: longId };
  });

  for (const kind of ["UserGroup", "UserGroups"])
    it(`prints a few KB at most: ${kind}`, async () => {
      const failed = fails(await world.stack.up({ env: { KIND: kind } }), /\[service-refused\]/);
      assert(failed.output.length < fewKilobytes, `${failed.output.length} characters were printed`);
      assert.match(failed.output, /user group "xxx/);
    });
});

const encoded = `
  const { UserGroup } = require("pulumi-user-groups");
  for (const id of ["compressed", "charset", "mark"]) new UserGroup(id, { userGroupId: id, name: "Tenant" });
`;

const longId = `
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  const userGroupId = "x".repeat(100_000);
  if (process.env.KIND === "UserGroup") new UserGroup("long", { userGroupId, name: "Tenant" });
  else new UserGroups("long", { groups: { [userGroupId]: { name: "Tenant" } } });
`;
