// `pulumi stack export --show-secrets | node deliver.mjs tokens.json`: writes userGroupId → token of all groups in the state into
// a file that only its user can read. Unlike the outputs, the state is right also after a failed `pulumi up`.
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const [file] = process.argv.slice(2);
const { resources = [] } = JSON.parse(await text(process.stdin)).deployment;
const isGroups = ({ type }) => /\buser-groups:(index:)?UserGroups?$/.test(type);
// The token of a group whose replacement has begun is dead.
const isCurrent = ({ delete: isLeft, pendingReplacement: isDeleted }) => !isLeft && !isDeleted;
const plain = (value) => (value?.plaintext === undefined ? value : JSON.parse(value.plaintext));
const tokensOf = ({ outputs: { userGroupId, token, tokens = {} } }) =>
  token === undefined ? Object.entries(plain(tokens)) : [[plain(userGroupId), plain(token)]];

const tokens = Object.fromEntries(resources.filter(isGroups).filter(isCurrent).flatMap(tokensOf));
rmSync(`${file}.new`, { force: true });
writeFileSync(`${file}.new`, JSON.stringify(tokens), { mode: 0o600 });
renameSync(`${file}.new`, file);
