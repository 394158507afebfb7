// Mocha's usual report, and the counts to the process that started it.
import Mocha from "mocha";

export default class CountingReporter extends Mocha.reporters.Spec {
  done(_failures, end) {
    const { passes, failures, pending } = this.stats;
    process.send?.({ passed: passes, failed: failures, skipped: pending });
    end(_failures);
  }
}
