/**
 * What the resource classes need of the SDK. The program's host has loaded these modules already. All of `@pulumi/pulumi`
 * takes longer to load than the rest of a program that needs nothing else of it.
 */
export { Archive, Asset } from "@pulumi/pulumi/asset";
export { RunError } from "@pulumi/pulumi/errors";
export { Output, output, secret, type Input, type Inputs, type OutputInstance } from "@pulumi/pulumi/output";
export {
  CustomResource,
  ProviderResource,
  createUrn,
  mergeOptions,
  type CustomResourceOptions,
  type ID,
  type ResourceOptions,
} from "@pulumi/pulumi/resource";
export { unknownValue } from "@pulumi/pulumi/runtime/rpc";
export { isDryRun } from "@pulumi/pulumi/runtime/settings";
