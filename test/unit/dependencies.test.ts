import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix, resolve, sep } from "node:path";

const folder = resolve(__dirname, "../../provider/src");

/** The layers that the files of a layer may import from, beside their own, and the packages beside Node.js and zod. */
const layers: Readonly<Record<string, { layers: readonly string[]; packages: RegExp }>> = {
  resources: { layers: [], packages: /^(@pulumi\/pulumi|pulumi-user-groups)/ },
  dynamic: { layers: ["adapter", "core", "service", "service/http"], packages: /^@pulumi\/pulumi/ },
  plugin: {
    layers: ["adapter", "core", "service", "service/http"],
    packages: /^(@pulumi\/pulumi|@grpc\/grpc-js|google-protobuf)/,
  },
  adapter: { layers: ["core"], packages: /^$/ },
  core: { layers: ["service", "service/http"], packages: /^p-map$/ },
  service: { layers: ["service/http"], packages: /^$/ },
  "service/http": {
    layers: [],
    packages: /^(node-fetch|https-proxy-agent|proxy-from-env|is-retry-allowed)$/,
  },
  settings: { layers: [], packages: /^$/ },
};

/** All layers may import them. */
const shared = ["settings", "errors", "validation", "values", "version"];

const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((file) => file.split(sep).join("/"))
  .filter((file) => file.endsWith(".ts") && layerOf(file) in layers);

describe("the files of the package", () => {
  for (const layer of Object.keys(layers))
    it(`in ${layer} import from layers below only`, () => {
      const own = files.filter((file) => layerOf(file) === layer);
      assert.notEqual(own.length, 0);
      assert.deepEqual(
        own.flatMap((file) => importsOf(file).filter((module) => !isAllowed(file, module))),
        [],
      );
    });

  it("of the core use nothing of the process", () => {
    for (const file of files.filter((each) => layerOf(each) === "core"))
      assert.doesNotMatch(
        textOf(file),
        /"node:(?!crypto")|\b(process|console|performance|Date)\.|\b(fetch|setTimeout)\(/,
      );
  });

  it("load node-fetch with the first request only", () => {
    for (const file of files) assert.doesNotMatch(textOf(file), /^import (?!type).* from "node-fetch"/m);
  });
});

/** `core` for core/state.ts and for core/group/state.ts. */
function layerOf(file: string): string {
  if (file.startsWith("service/http/")) return "service/http";
  return file.split("/")[0]?.replace(/\.ts$/, "") ?? "";
}

/** The modules that a file imports, in any way and also for a type. */
function importsOf(file: string): string[] {
  const imports = textOf(file).matchAll(/\b(?:from|import|require)\s*\(?\s*"([^"]+)"/g);
  return [...imports].map(([, module = ""]) => module);
}

function isAllowed(file: string, module: string): boolean {
  const layer = layerOf(file);
  if (!module.startsWith("."))
    return (
      module === "zod" ||
      builtinModules.includes(module.replace("node:", "")) ||
      layers[layer]?.packages.test(module) === true
    );
  const target = layerOf(posix.join(posix.dirname(file), module));
  return target === layer || shared.includes(target) || layers[layer]?.layers.includes(target) === true;
}

function textOf(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}
