// The least that a provider can do. Its tokens are as long as the emulator's.
const token = (userGroupId) => userGroupId.padStart(36, "0");

exports.UserGroup = {
  diff: async () => ({ changes: false }),
  create: async ({ userGroupId, name }) => ({
    id: userGroupId,
    outs: { userGroupId, name, token: token(userGroupId), adopted: false },
  }),
  read: async (id, props) => ({ id, props }),
  delete: async () => undefined,
};

exports.UserGroups = {
  ...exports.UserGroup,
  create: async ({ groups }) => {
    const tokens = Object.fromEntries(Object.keys(groups).map((id) => [id, token(id)]));
    return { id: "all", outs: { groups, tokens, adopted: [] } };
  },
};
