// Preloaded into the processes of a profiled run: records where the program and the provider spend their time.
const { writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const { join } = require("node:path");

const folder = process.env.BENCH_PROFILES;
const [, part] = /@pulumi[\\/]pulumi[\\/]cmd[\\/](run|dynamic-provider)/.exec(process.argv[1] ?? "") ?? [];
if (folder && part) record(join(folder, `${part === "run" ? "program" : "provider"}.json`));

function record(file) {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.start");
  // The answer of a session to its own thread comes before `post` returns, so that this works in an exit handler.
  process.once("exit", () => {
    session.post("Profiler.stop", (error, stopped) => {
      if (!error) writeFileSync(file, JSON.stringify(stopped.profile));
    });
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());
}
