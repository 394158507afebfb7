import prettier from "eslint-config-prettier";
import { createNodeResolver, importX } from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

const rpc = "^(@grpc|google-protobuf)/";
const pulumi = "^(@pulumi|@grpc|google-protobuf)/";

/** The folders of provider: which of them each may import from, beside settings/, and which other modules it may not. */
const layers = {
  resources: { below: [], never: rpc },
  adapters: { below: ["core", "service"], never: rpc },
  "adapters/plugin": { below: ["core", "service"] },
  core: { below: ["service"], never: `${pulumi}|^node:(?!crypto$)` },
  service: { below: [], never: pulumi },
  "service/http": { below: [], never: `${pulumi}|^\\.\\./[a-z]` },
  settings: { below: [], never: pulumi },
};

/** Forms that pack more into a line than a reader takes in. */
const denseForms = [
  {
    selector: "VariableDeclarator[id.type='ArrayPattern'][init.type='ArrayExpression']",
    message: "Assign each value by a statement of its own.",
  },
  { selector: "ReturnStatement > UnaryExpression[operator='void']", message: "Call it, then return." },
  {
    selector: "AssignmentPattern :matches(AssignmentExpression, UpdateExpression)",
    message: "A default has no side effect.",
  },
];

/** A file of 30 lines and more begins with a comment that says what it is for. */
const headComment = {
  create: ({ sourceCode, report }) => ({
    Program(node) {
      const isLong = sourceCode.lines.length >= 30;
      const hasHead = sourceCode
        .getAllComments()
        .some(({ type, value, loc }) => type === "Block" && value.startsWith("*") && loc.start.line <= 12);
      if (isLong && !hasHead) report({ node, message: "Say at the head of the file what it is for." });
    },
  }),
};

const folders = ["cli", "testing", "resources", "adapters", "core", "service"];
const importsOf = (layer, { below, never }) => {
  const above = folders.filter((folder) => folder !== layer.split("/")[0] && !below.includes(folder));
  return [
    { regex: `^(\\.\\./)+(${above.join("|")})(/|$)`, message: "This folder is above." },
    { regex: "^node-fetch$", allowTypeImports: true, message: "Load it with the first deletion." },
    ...(never ? [{ regex: never, message: "This layer does without it." }] : []),
  ];
};

/** The folders of core/ below lifecycle.ts, in their order. A file imports only from its own folder and from those after it. */
const rooms = ["resource", "change", "creation", "deletion", "deployment", "rotation", "messages", "state"];
const importsOfRooms = [
  ...rooms.map((room, index) => {
    const above = ["lifecycle", ...rooms.slice(0, index)];
    return { files: `${room}/**/*.ts`, regex: `^\\.\\./(${above.join("|")})(/|$)` };
  }),
  { files: "arguments.ts", regex: "^\\./" },
];

export default tseslint.config(
  // Two examples have packages that are installed by their tests only.
  {
    ignores: [
      "**/dist/",
      "**/node_modules/",
      "tools/bench/.cache/",
      "coverage/",
      "examples/{kubernetes,worker}/",
      "plugin/",
      "sdks/",
    ],
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
    files: [`provider/${layer}/**/*.ts`],
    rules: {
      "@typescript-eslint/no-restricted-imports": ["error", { patterns: importsOf(layer, imports) }],
    },
  })),
  ...importsOfRooms.map(({ files, regex }) => {
    const patterns = [
      ...importsOf("core", layers.core),
      { regex, message: "This folder of core/ is above." },
    ];
    return {
      files: [`provider/core/${files}`],
      rules: { "@typescript-eslint/no-restricted-imports": ["error", { patterns }] },
    };
  }),
  {
    files: ["provider/**/*.ts"],
    plugins: { forms: { rules: { "head-comment": headComment } }, "import-x": importX },
    settings: {
      "import-x/parsers": { "@typescript-eslint/parser": [".ts"] },
      "import-x/resolver-next": [createNodeResolver({ extensions: [".ts"] })],
    },
    rules: {
      "import-x/no-cycle": "error",
      "forms/head-comment": "error",
      "max-depth": ["error", 3],
      "max-lines-per-function": ["error", { max: 40, skipComments: true, skipBlankLines: true }],
      "no-nested-ternary": "error",
      "no-restricted-syntax": ["error", ...denseForms],
    },
  },
  {
    files: ["provider/core/**/*.ts"],
    rules: {
      "no-restricted-globals": ["error", "process", "console", "performance", "fetch", "setTimeout", "Date"],
    },
  },
  prettier,
);
