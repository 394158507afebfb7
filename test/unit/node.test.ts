import assert from "node:assert/strict";
import { engines } from "../../package.json";
import { nodeIssue } from "../../provider/node/nodeIssue";

it("the versions of Node.js that the package runs on are those of package.json", () => {
  assert.equal(engines.node, "^20.19.0 || >=22.12.0");
  for (const version of ["20.19.0", "20.20.2", "22.12.0", "22.13.1", "24.0.0", "26.10.0"])
    assert.equal(nodeIssue(version), undefined, version);
  for (const version of ["16.20.2", "18.20.8", "20.18.9", "21.7.3", "22.11.9"])
    assert.equal(
      nodeIssue(version),
      `pulumi-user-groups requires Node.js 20.19+ or 22.12+, this is ${version}.`,
    );
});
