/**
 * What a program imports: the two resources and the types of their arguments.
 *
 * @module pulumi-user-groups
 */
export type { GroupArgs, Json, JsonInput, SharedArgs } from "./resource";
export { UserGroup, type UserGroupArgs, type UserGroupState } from "./userGroup";
export { UserGroups, type GroupOutput, type UserGroupsArgs } from "./userGroups";
