/** The dynamic providers. Every state file requires this path and these names: they are frozen. */
export { userGroup } from "./userGroup";
export { userGroups } from "./userGroups";
