/** The dynamic providers. Every state file requires this path and these names, so both are frozen. */
import "../../node/orError";
import type { dynamic } from "@pulumi/pulumi";
import * as providers from "./dynamicProviders";

/** The type is Pulumi's own, so that the package's declarations contain none of its internal types. */
type FrozenProvider = Required<dynamic.ResourceProvider<unknown, unknown>>;

export const userGroup: FrozenProvider = providers.userGroup;
export const userGroups: FrozenProvider = providers.userGroups;
