/** The dynamic providers. Every state file requires this path and these names, so both are frozen. */
export { userGroup, userGroups } from "../dynamic/dynamicProviders";
