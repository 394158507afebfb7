import * as pulumi from "@pulumi/pulumi";
import { UserGroup } from "pulumi-user-groups";
import { existing } from "./existing";

const groups = Object.entries(existing).map(
  ([userGroupId, group]) =>
    new UserGroup(
      userGroupId,
      { userGroupId, ...group },
      // Until the program says what the service shows, nothing must replace or delete a group that is in use.
      { protect: true, retainOnDelete: true },
    ),
);

/** Groups that weren't there and were created: a mistyped ID, perhaps. */
export const created = pulumi
  .all(groups.map(({ userGroupId, adopted }) => ({ userGroupId, adopted })))
  .apply((all) => all.flatMap(({ userGroupId, adopted }) => (adopted ? [] : userGroupId)));

/** The tokens, which the adopted groups had all along. */
export const tokens = Object.fromEntries(
  Object.keys(existing).map((id, index) => [id, groups[index]?.token]),
);
