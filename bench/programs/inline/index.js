// (c) The usual dynamic provider, inside the program: the SDK serializes its closures into every resource.
const http = require("node:http");
const pulumi = require("@pulumi/pulumi");

/** The standard fetch refuses a GET with a body. */
function request(method, content) {
  const body = JSON.stringify(content);
  const headers = {
    Authorization: `Token ${process.env.USER_GROUPS_API_TOKEN}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const url = `${process.env.USER_GROUPS_BASE_URL}/api/user`;
    const outgoing = http.request(url, { method, headers }, async (incoming) => {
      try {
        let text = "";
        for await (const chunk of incoming) text += chunk;
        const answer = JSON.parse(text);
        if (answer.success === 1) resolve(answer);
        else reject(new Error(`${method} was refused`));
      } catch (error) {
        reject(error);
      }
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const provider = {
  async diff(id, olds, news) {
    const changes = olds.userGroupId !== news.userGroupId || olds.name !== news.name;
    return { changes, replaces: changes ? ["userGroupId", "name"] : [], deleteBeforeReplace: true };
  },

  async create({ userGroupId, name }) {
    const { user_group: group } = await request("GET", { user_group_id: userGroupId, name });
    return { id: userGroupId, outs: { userGroupId, name: group.name, token: group.token } };
  },

  async read(id, olds) {
    const { user_group: group } = await request("GET", { user_group_id: id, name: olds.name });
    return { id, props: { userGroupId: id, name: group.name, token: group.token } };
  },

  async delete(id, { token }) {
    await request("DELETE", { user_group_id: id, current_token: token });
  },
};

class UserGroup extends pulumi.dynamic.Resource {
  constructor(name, args, opts) {
    const options = pulumi.mergeOptions(opts, { additionalSecretOutputs: ["token"] });
    super(provider, name, { ...args, token: undefined }, options);
  }
}

for (const [userGroupId, { name }] of Object.entries(require("./tenants.json"))) {
  new UserGroup(userGroupId, { userGroupId, name });
}
