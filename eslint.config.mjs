import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

/** The folders of provider/src, and those that each may import from, beside settings/ and the files above them. */
const layers = {
  resources: [],
  dynamic: ["adapter", "core", "service"],
  plugin: ["adapter", "core", "service"],
  adapter: ["core"],
  core: ["service"],
  service: [],
  settings: [],
};
const above = (layer) =>
  ["cli", "testing", ...Object.keys(layers)].filter(
    (other) => ![layer, "settings", ...layers[layer]].includes(other),
  );

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
  ...Object.keys(layers).map((layer) => ({
    files: [`provider/src/${layer}/**/*.ts`],
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        {
          patterns: [
            { regex: `^(\\.\\./)+(${above(layer).join("|")})(/|$)`, message: "This folder is above." },
            { regex: "^node-fetch$", allowTypeImports: true, message: "Load it with the first deletion." },
          ],
        },
      ],
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
