/**
 * The two resources, and the types of their arguments.
 *
 * @module pulumi-user-groups
 */
import "./node/orError";
export type {
  FormerGroup,
  GroupArgs,
  GroupOutput,
  Json,
  JsonInput,
  SharedArgs,
} from "./resources/commonArguments";
export { UserGroup, type UserGroupArgs, type UserGroupState } from "./resources/userGroup";
export { UserGroups, type UserGroupsArgs } from "./resources/userGroups";
