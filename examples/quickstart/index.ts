import { UserGroup } from "pulumi-user-groups";

const acme = new UserGroup("acme", { userGroupId: "acme", name: "Acme", mapping: { sales: "acme-data" } });
const globex = new UserGroup("globex", { userGroupId: "globex", name: "Globex", overlap: true });

export const tokens = { acme: acme.token, globex: globex.token };
