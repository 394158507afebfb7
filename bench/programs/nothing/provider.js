// (d) Makes no request: what it costs is the engine's.
exports.nothing = {
  async diff() {
    return { changes: false };
  },

  async create({ userGroupId, name }) {
    return { id: userGroupId, outs: { userGroupId, name, token: tokenLike(userGroupId), adopted: false } };
  },

  async read(id, props) {
    return { id, props };
  },

  async delete() {
    return undefined;
  },
};

/** As one resource for all tenants. */
exports.nothingForAll = {
  ...exports.nothing,

  async create({ groups }) {
    const tokens = Object.fromEntries(Object.keys(groups).map((id) => [id, tokenLike(id)]));
    return { id: "all", outs: { groups, tokens, adopted: [] } };
  },
};

/** As long as the emulator's tokens. */
function tokenLike(userGroupId) {
  return userGroupId.padStart(36, "0");
}
