export { UserGroup, type Json, type JsonInput, type UserGroupArgs, type UserGroupState } from "./userGroup";
