// The usual dynamic provider, inside the program: the SDK serializes its closures into the state of every resource.
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
      let text = "";
      for await (const chunk of incoming) text += chunk;
      const answer = JSON.parse(text);
      if (answer.success === 1) resolve(answer);
      else reject(new Error(`${method} was refused`));
    });
    outgoing.on("error", reject).end(body);
  });
}

async function getOrCreate(userGroupId, name) {
  const { user_group: group } = await request("GET", { user_group_id: userGroupId, name });
  return { userGroupId, name: group.name, token: group.token };
}

const provider = {
  async diff(id, olds, news) {
    const changes = olds.userGroupId !== news.userGroupId || olds.name !== news.name;
    return { changes, replaces: changes ? ["userGroupId", "name"] : [], deleteBeforeReplace: true };
  },
  create: async ({ userGroupId, name }) => ({ id: userGroupId, outs: await getOrCreate(userGroupId, name) }),
  read: async (id, { name }) => ({ id, props: await getOrCreate(id, name) }),
  delete: (id, { token }) => request("DELETE", { user_group_id: id, current_token: token }),
};

class UserGroup extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super(provider, name, { ...args, token: undefined }, { additionalSecretOutputs: ["token"] });
  }
}

for (const [userGroupId, { name }] of Object.entries(require("./tenants.json")))
  new UserGroup(userGroupId, { userGroupId, name });
