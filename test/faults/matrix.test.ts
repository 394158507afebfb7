import assert from "node:assert/strict";
import { casesOf, committedOutcome, partOf, runMatrix } from "./matrix";
import { serveNames } from "./names";
import { operationsOfMany, operationsOfOne } from "./operations";
import { isWhole, keep } from "./page";

/** In the short form each so-manieth case; no divisor of the numbers of faults, so that all operations have their turn. */
const sampling = 11;

for (const [resource, operations] of [
  ["UserGroup", operationsOfOne],
  ["UserGroups", operationsOfMany],
] as const) {
  describe(`a fault during an operation on a ${resource}`, () => {
    serveNames();
    const cases = casesOf(operations).filter((_, index) => isWhole || index % sampling === 0);
    const matrix = runMatrix(cases);

    for (const tested of cases) {
      const { operation, fault, persistence } = tested;
      it(`${operation.name}: ${fault.name}, ${persistence}`, async () => {
        const outcome = await matrix.outcome(tested);
        if (!isWhole) assert.equal(outcome, committedOutcome(resource, tested));
      });
    }

    it("leads no request to where a redirect points, or past a certificate that isn't trusted", async () => {
      await Promise.allSettled(cases.map(matrix.outcome));
      assert.deepEqual(matrix.requestsElsewhere(), []);
    });

    if (isWhole)
      it("ends as docs/fault-matrix.md says", async () => {
        keep(resource, await partOf(operations, cases, matrix));
      });
  });
}
