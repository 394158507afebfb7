import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

const rpc = "^(@grpc|google-protobuf)/";
const pulumi = "^(@pulumi|@grpc|google-protobuf)/";

/** The folders of provider/src: which of them each may import from, beside settings/, and which other modules it may not. */
const layers = {
  resources: { below: [], never: rpc },
  dynamic: { below: ["adapter", "core", "service"], never: rpc },
  plugin: { below: ["adapter", "core", "service"] },
  adapter: { below: ["core"], never: pulumi },
  core: { below: ["service"], never: `${pulumi}|^node:(?!crypto$)` },
  service: { below: [], never: pulumi },
  "service/http": { below: [], never: `${pulumi}|^\\.\\./[a-z]` },
  settings: { below: [], never: pulumi },
};
const folders = ["cli", "testing", "resources", "dynamic", "plugin", "adapter", "core", "service"];
const importsOf = (layer, { below, never }) => {
  const above = folders.filter((folder) => folder !== layer.split("/")[0] && !below.includes(folder));
  return [
    { regex: `^(\\.\\./)+(${above.join("|")})(/|$)`, message: "This folder is above." },
    { regex: "^node-fetch$", allowTypeImports: true, message: "Load it with the first deletion." },
    ...(never ? [{ regex: never, message: "This layer does without it." }] : []),
  ];
};

export default tseslint.config(
  // examples/kubernetes has packages that are installed by its test only.
  {
    ignores: ["**/dist/", "**/node_modules/", "bench/.cache/", "examples/kubernetes/", "plugin/", "sdks/"],
  },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-warning-comments": "error",
    },
  },
  { files: ["**/*.js", "**/*.mjs", "**/*.cjs"], extends: [tseslint.configs.disableTypeChecked] },
  { files: ["**/*.js", "**/*.cjs"], rules: { "@typescript-eslint/no-require-imports": "off" } },
  {
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", package: "fast-check", name: "assert" }] },
      ],
    },
  },
  ...Object.entries(layers).map(([layer, imports]) => ({
    files: [`provider/src/${layer}/**/*.ts`],
    rules: {
      "@typescript-eslint/no-restricted-imports": ["error", { patterns: importsOf(layer, imports) }],
    },
  })),
  {
    files: ["provider/src/core/**/*.ts"],
    rules: {
      "no-restricted-globals": ["error", "process", "console", "performance", "fetch", "setTimeout", "Date"],
    },
  },
  prettier,
);
