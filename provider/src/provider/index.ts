/** The dynamic providers. Every state file requires this path and these names, so both are frozen. */
import type { dynamic } from "@pulumi/pulumi";
import * as providers from "../dynamic/dynamicProviders";

// The types are Pulumi's, so that the package's declarations contain nothing of its inside.
export const userGroup: dynamic.ResourceProvider = providers.userGroup;
export const userGroups: dynamic.ResourceProvider = providers.userGroups;
