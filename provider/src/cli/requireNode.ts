/** Imported first, because on an older Node.js a later import fails with a message that doesn't name the version. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (!((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22)) {
  process.stderr.write(
    `pulumi-user-groups requires Node.js 20.19+ or 22.12+; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
