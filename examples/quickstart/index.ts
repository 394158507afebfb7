import { UserGroup } from "pulumi-user-groups";

const acme = new UserGroup("acme", {
  userGroupId: "acme",
  name: "Acme Corporation",
  mapping: { sales: "acme-warehouse" },
  properties: { region: "eu", seats: 25 },
});

new UserGroup("globex", { userGroupId: "globex", name: "Globex" });

export const acmeToken = acme.token;
