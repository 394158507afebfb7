// Mocha's usual report, and the counts and what failed to the process that started it.
import Mocha from "mocha";

export default class CountingReporter extends Mocha.reporters.Spec {
  done(_failures, end) {
    const { passes, failures, pending } = this.stats;
    const errors = this.failures.map((test) => `${test.fullTitle()}\n${test.err?.message ?? ""}`);
    process.send?.({ passed: passes, failed: failures, skipped: pending, errors });
    end(_failures);
  }
}
