import { UserGroup } from "pulumi-user-groups";

const customers = { acme: "Acme Corporation", globex: "Globex" };

/** The former token of a changed group stays valid for a day, and until the next `up`, so that ci/deliver.sh can deliver the new one. */
const overlap = { overlap: true, overlapHours: 24 };

export const tokens = Object.fromEntries(
  Object.entries(customers).map(([userGroupId, name]) => [
    userGroupId,
    new UserGroup(userGroupId, { userGroupId, name, ...overlap }).token,
  ]),
);
