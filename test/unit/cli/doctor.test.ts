import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { inProgram } from "./doctorProgram";

describe("doctor", () => {
  it(
    "says of a program in which all is right that it is, and asks the service for nothing",
    inProgram(async ({ run, emulator }) => {
      const { code, out, err } = await run();
      assert.deepEqual([code, err], [0, ""]);
      assert.equal(
        out,
        [
          `ok       Node.js ${process.versions.node}.`,
          "ok       @pulumi/pulumi 3.248.0.",
          "ok       pulumi-user-groups 1.0.0 is found from the program's folder.",
          "ok       There is one copy of @pulumi/pulumi.",
          "ok       No stack has a settings file.",
          "ok       user-groups:baseUrl is set in the environment (USER_GROUPS_BASE_URL).",
          "ok       user-groups:apiToken is set in the environment (USER_GROUPS_API_TOKEN).",
          "ok       user-groups:timeout has its default.",
          "ok       user-groups:maxConnections has its default.",
          "ok       user-groups:changes has its default.",
          "ok       user-groups:formerBaseUrl isn't set: the service hasn't moved.",
          "ok       The service's host answers (without a proxy, no TLS).",
          "",
          "Verdict: ok.",
        ].join("\n"),
      );
      const requests = emulator.requests.map(({ method, body, authorized }) => [method, body, authorized]);
      assert.deepEqual(requests, [["HEAD", undefined, false]]);
    }),
  );

  it(
    "ends its report with the verdict, which counts what failed, and says what to do about each",
    inProgram(async ({ environment, folder, run }) => {
      await rm(join(folder, "node_modules/pulumi-user-groups"), { recursive: true });
      environment["USER_GROUPS_TIMEOUT"] = "soon";
      const { code, out } = await run();
      assert.equal(code, 1);
      assert.match(out, /^failed {3}user-groups:timeout must be .*\n {9}It is set in the environment/m);
      assert.match(out, /\n\nVerdict: 2 of 11 checks failed\.$/);
    }),
  );

  it(
    "tells machines the same by --json",
    inProgram(async ({ environment, examine }) => {
      const sound = await examine();
      assert.equal(sound.code, 0);
      assert.match(sound.out, /^\{\n {2}"verdict": "ok"/);
      environment["USER_GROUPS_TIMEOUT"] = "soon";
      const ill = await examine();
      assert.equal(ill.code, 1);
      assert.match(ill.out, /^\{\n {2}"verdict": "failed"/);
      assert.equal(ill.err, "");
    }),
  );

  it(
    "explains its options and exit codes with --help",
    inProgram(async ({ run }) => {
      const { code, out } = await run("--help");
      assert.equal(code, 0);
      for (const option of ["folder", "stack", "connection", "json"])
        assert.match(out, new RegExp(`^ {2}--${option}\\b`, "m"));
      assert.match(out, /^Exit codes: 0 .* 1 .* 2 /m);
    }),
  );

  for (const [flags, complaint] of [
    [["--connection", "EU"], "--connection: must consist of lower-case letters"],
    [["--frob"], "Unknown option '--frob'"],
  ] as const)
    it(
      `says in one line what is wrong with ${flags.join(" ")}`,
      inProgram(async ({ examine }) => {
        const { code, out, err } = await examine(...flags);
        assert.deepEqual([code, out], [2, ""]);
        assert.ok(err.startsWith(`pulumi-user-groups: ${complaint}`) && !err.includes("\n"), err);
      }),
    );

  it(
    "says where it looked for a program in vain",
    inProgram(async ({ folder, examine }) => {
      await rm(join(folder, "Pulumi.yaml"));
      const { code, err } = await examine();
      assert.equal(code, 2);
      assert.match(err, /there is no Pulumi\.yaml in .*; set --folder to the program's folder$/);
    }),
  );
});
