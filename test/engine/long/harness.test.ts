import assert from "node:assert/strict";
import { newFixture } from "../harness";

/** Every other engine test depends on it: each command searches all output and all files for the tokens. */
describe("the harness", () => {
  const fixture = newFixture(() => ({
    program: `
      const { UserGroup } = require("pulumi-user-groups");
      const { token } = new UserGroup("acme", { userGroupId: "acme", name: "Acme" });
      if (process.env.LEAK === "output") token.apply((text) => console.log("It is " + text));
      exports.seat = process.env.LEAK === "state" ? "front row" : "";
    `,
    secrets: ["front row"],
  }));

  for (const LEAK of ["output", "state"])
    it(`fails a test if a secret can be read in the ${LEAK}`, () =>
      assert.rejects(fixture.stack.up({ env: { LEAK } }), /A secret can be read in /));
});
