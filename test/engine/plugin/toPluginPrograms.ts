/** One program in several languages: for the package in TypeScript, and for the plugin in the others. */
import { pluginEntry } from "./pluginProgram";

/** The program for the package and for the generated SDK, which differ in their name. */
const typescriptOf = (module: string) => `
import { UserGroup, UserGroups } from "${module}";

const acme = new UserGroup("acme", {
  userGroupId: "acme",
  name: "Acme",
  mapping: { sales: "warehouse", finance: 7 },
  properties: { region: "eu", limits: { seats: 5, trial: false } },
  dataSourceProvidedId: "warehouse",
  keepers: { rotation: "1" },
});
const tenants = new UserGroups("tenants", {
  groups: { globex: { name: "Globex", mapping: { sales: 1 } }, initech: { name: "Initech", properties: { tags: ["a"] } } },
  deletionLimit: 10,
});
const [globex, initech] = ["globex", "initech"].map((id) => tenants.tokens.apply((tokens) => tokens[id]));
export const tokens = { acme: acme.token, globex, initech };
`;

const nodeProject = {
  "package.json": '{ "name": "tests", "private": true, "main": "index.ts" }\n',
  "tsconfig.json": '{ "compilerOptions": { "module": "node20", "strict": true, "skipLibCheck": true } }\n',
};

export const typescript = { ...nodeProject, "index.ts": typescriptOf("pulumi-user-groups") };

export const node = {
  ...nodeProject,
  "index.ts": typescriptOf("./sdks/user-groups/bin"),
  "Pulumi.yaml": `name: tests\nruntime: nodejs\n${pluginEntry}`,
};

export const python = {
  "Pulumi.yaml": `name: tests\nruntime: { name: python, options: { virtualenv: venv } }\n${pluginEntry}`,
  "__main__.py": `
import pulumi
import pulumi_user_groups as user_groups

acme = user_groups.UserGroup(
    "acme",
    user_group_id="acme",
    name="Acme",
    mapping={"sales": "warehouse", "finance": 7},
    properties={"region": "eu", "limits": {"seats": 5, "trial": False}},
    data_source_provided_id="warehouse",
    keepers={"rotation": "1"},
)
tenants = user_groups.UserGroups(
    "tenants",
    groups={
        "globex": {"name": "Globex", "mapping": {"sales": 1}},
        "initech": {"name": "Initech", "properties": {"tags": ["a"]}},
    },
    deletion_limit=10,
)
ids = ["globex", "initech"]
pulumi.export("tokens", {"acme": acme.token, **{id: tenants.tokens[id] for id in ids}})
`,
};
