import packageFile from "pulumi-user-groups/package.json";

/** The version of this package. */
export const { version } = packageFile;
