// Preloaded into the processes of a profiled run: records a CPU profile of the program and of the provider.
const { writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");

const [part] = /cmd[\\/]run\b|dynamic-provider|plugin\.cjs/.exec(process.argv[1] ?? "") ?? [];
if (part && process.env.BENCH_PROFILE)
  record(`${process.env.BENCH_PROFILE}-${part.startsWith("cmd") ? "program" : "provider"}.cpuprofile`);

function record(file) {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.start");
  // A session in the same thread answers before `post` returns, so this works in an exit handler.
  process.once("exit", () => {
    session.post("Profiler.stop", (error, stopped) => {
      if (!error) writeFileSync(file, JSON.stringify(stopped.profile));
    });
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());
}
