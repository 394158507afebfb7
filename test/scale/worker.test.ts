/** examples/worker with 10,000 customers in 50 stacks, and two workers. Prints the time from row to token, and the processor's. */
import { eventually, WorkerDeployment } from "../examples/workerDeployment";

const count = Number(process.env["SCALE_GROUPS"] ?? 10_000);

it(`examples/worker: ${count} customers in 50 stacks, then 30 who sign up one after another`, async () => {
  const deployment = await WorkerDeployment.start({ latency: 20, keepRequests: false });
  try {
    await deployment.sql`insert into shards select 'customers-' || number from generate_series(5, 50) as number`;
    const workers = [await deployment.startWorker(), await deployment.startWorker()];
    const cpuSeconds = () => workers.reduce((sum, worker) => sum + worker.cpuSeconds, 0);
    const start = performance.now();
    await deployment.signUp("customer", count);
    await deployment.settle();
    console.log(`${count} at once: ${((performance.now() - start) / 1000).toFixed(0)} s`);
    const before = cpuSeconds();
    const times: number[] = [];
    for (let number = 0; number < 30; number += 1) {
      const at = performance.now();
      await deployment.signUp(`late-${number}`);
      await eventually(() => deployment.hasToken(`late-${number}-1`));
      times.push((performance.now() - at) / 1000);
    }
    await deployment.settle();
    times.sort((one, other) => one - other);
    console.log(`row to token: p50 ${times[14]?.toFixed(1)} s, p95 ${times[28]?.toFixed(1)} s`);
    console.log(`${((cpuSeconds() - before) / times.length).toFixed(1)} s of a processor for each`);
  } finally {
    await deployment.remove();
  }
});
