import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";
import launcher from "pulumi/package.json";
import { checkout, engineFiles, languageFiles, repository, type Checkout } from "./checkout";

// The stand-ins for the launcher and for Go are scripts that Windows can't start without a shell.
(process.platform === "win32" ? describe.skip : describe)("engine/install.mjs", () => {
  const checkouts: Checkout[] = [];
  const newCheckout = (...parts: Parameters<typeof checkout>) => {
    const made = checkout(...parts);
    checkouts.push(made);
    return made;
  };
  afterEach(() => {
    for (const { remove } of checkouts.splice(0)) remove();
  });

  it("does nothing and prints nothing when the engine is there", async () => {
    const { install, place } = newCheckout({ launcher: "throw new Error('asked')", go: undefined });
    for (const file of engineFiles) place(file, "from before");
    assert.deepEqual(await install(), { code: 0, output: "" });
  });

  it("takes what the launcher downloads", async () => {
    const { install, engine } = newCheckout({ launcher: downloads, go: undefined });
    const { code, output } = await install();
    assert.equal(code, 0, output);
    assert.match(output, /downloading it with its launcher[^]*ready/);
    assert.deepEqual(engine(), textOf([...engineFiles, ...languageFiles], "downloaded"));
  });

  it("builds with Go into the same folder when the download fails, and says so", async () => {
    const { install, engine, goCalls } = newCheckout({ launcher: fails, go: builds });
    const { code, output } = await install();
    assert.equal(code, 0, output);
    assert.match(output, /download failed: pulumi: fetch failed\n.*building with go1\.99/);
    assert.deepEqual(engine(), {
      pulumi: "pulumi built in cli",
      "pulumi-language-nodejs": "pulumi-language-nodejs built in languages",
      "pulumi-resource-pulumi-nodejs": "copied from the SDK",
    });
    for (const call of goCalls().filter(([verb]) => verb === "build")) {
      assert.deepEqual(call.slice(0, 4), ["build", "-mod=readonly", "-trimpath", "-ldflags"]);
      assert.match(call[4] ?? "", /^-s -w -X \S+version\.Version=v9\.9\.9$/);
    }
  });

  it("completes a folder that holds a part, and keeps that part", async () => {
    const { install, place, engine } = newCheckout({ launcher: fails, go: builds });
    place("pulumi", "from before");
    const { code, output } = await install();
    assert.equal(code, 0, output);
    assert.equal(engine()["pulumi"], "from before");
    assert.deepEqual(Object.keys(engine()), engineFiles);
  });

  describe("--languages", () => {
    const flags = ["--languages"];

    it("does nothing and prints nothing when the language hosts are there too", async () => {
      const { install, place } = newCheckout({ launcher: "throw new Error('asked')", go: undefined });
      for (const file of [...engineFiles, ...languageFiles]) place(file, "from before");
      assert.deepEqual(await install({ flags }), { code: 0, output: "" });
    });

    it("builds nothing when the language hosts come with the download", async () => {
      const { install, place, engine } = newCheckout({ launcher: downloads, go: undefined });
      for (const file of engineFiles) place(file, "from before");
      const { code, output } = await install({ flags });
      assert.equal(code, 0, output);
      const expected = { ...textOf(engineFiles, "from before"), ...textOf(languageFiles, "downloaded") };
      assert.deepEqual(engine(), expected);
    });

    it("builds the language hosts alone when the rest is there", async () => {
      const { install, place, engine } = newCheckout({ launcher: fails, go: builds });
      for (const file of engineFiles) place(file, "from before");
      const { code, output } = await install({ flags });
      assert.equal(code, 0, output);
      assert.deepEqual(engine(), {
        ...textOf(engineFiles, "from before"),
        "pulumi-language-go": "pulumi-language-go built in languages",
        "pulumi-language-python": "pulumi-language-python built in languages",
        "pulumi-language-python-exec": "copied from the SDK",
        "pulumi-language-yaml": "pulumi-language-yaml built in language-yaml",
      });
    });

    it("installs none of them when one doesn't build", async () => {
      const failing = `if (process.argv.at(-1).endsWith("yaml")) process.exit(1);${builds}`;
      const { install, place, engine, versions } = newCheckout({ launcher: fails, go: failing });
      for (const file of engineFiles) place(file, "from before");
      const { code, output } = await install({ flags });
      assert.equal(code, 1);
      assert.match(output, /go build failed in engine\/language-yaml/);
      assert.deepEqual(engine(), textOf(engineFiles, "from before"));
      assert.deepEqual(versions(), ["9.9.9"]);
    });
  });

  it("goes on to the build when the download hangs", async () => {
    const { install } = newCheckout({ launcher: "setInterval(() => {}, 1000)", go: builds });
    const { code, output } = await install({ env: { ENGINE_DOWNLOAD_TIMEOUT: "0.2" } });
    assert.equal(code, 0, output);
    assert.match(output, /download failed: it took too long/);
  });

  it("says which Go to install when there is none", async () => {
    const { install, versions } = newCheckout({ launcher: fails, go: undefined });
    const { code, output } = await install();
    assert.equal(code, 1);
    assert.match(output, /needs Go 1\.\d+\.\d+ or newer, and there is no "go" on the PATH\. Install Go/);
    assert.deepEqual(versions(), []);
  });

  it("shows what Go said when the build fails, and leaves nothing behind", async () => {
    const { install, versions } = newCheckout({
      launcher: fails,
      go: "console.error('no space left'), process.exit(1)",
    });
    const { code, output } = await install();
    assert.equal(code, 1);
    assert.match(output, /go env failed in engine\/cli:\nno space left/);
    assert.deepEqual(versions(), []);
  });

  it("leaves nothing behind when it is told to end", async () => {
    const { install, versions } = newCheckout({
      launcher: "process.kill(process.ppid), setInterval(() => {}, 1000)",
      go: builds,
    });
    const { code, output } = await install();
    assert.equal(code, 1);
    assert.match(output, /stopped/);
    assert.deepEqual(versions(), []);
  });

  it("builds the version that the launcher is pinned to", () => {
    const goModule = fs.readFileSync(join(repository, "engine/cli/go.mod"), "utf8");
    for (const name of ["pkg", "sdk"]) {
      const version = new RegExp(`github.com/pulumi/pulumi/${name}/v3 v(\\S+)`).exec(goModule)?.[1];
      assert.equal(version, launcher.version);
    }
    const python = fs.readFileSync(join(repository, "engine/python/requirements.txt"), "utf8");
    assert.equal(/^pulumi==(\S+)$/m.exec(python)?.[1], launcher.version);
  });
});

const fails = `console.error("Downloading…\\npulumi: fetch failed"), process.exit(1)`;

const downloads = `
  const folder = process.env.PULUMI_HOME + "/versions/9.9.9/bin/";
  fs.mkdirSync(folder, { recursive: true });
  const files = ${JSON.stringify([...engineFiles, ...languageFiles])};
  for (const file of files) fs.writeFileSync(folder + file, "downloaded", { mode: 0o755 });`;

const builds = `
  const { basename } = require("path");
  const [verb, ...flags] = process.argv.slice(2);
  if (verb === "env") console.log("go1.99");
  if (verb === "mod") console.log(JSON.stringify({ Dir: process.env.FAKE_SDK }));
  const tool = flags.at(-1);
  const isPinned = () => fs.readFileSync("go.mod", "utf8").includes(tool + "\\n");
  if (verb === "build" && !isPinned()) throw new Error("no tool of this module: " + tool);
  const built = basename(tool) + " built in " + basename(process.cwd());
  if (verb === "build") fs.writeFileSync(flags[flags.indexOf("-o") + 1], built, { mode: 0o755 });`;

function textOf(files: readonly string[], text: string): Record<string, string> {
  return Object.fromEntries(files.map((file) => [file, text]));
}
