/** What is secret in the program, by what it is. */
export const secrets = {
  name: "s3cret-name",
  mapping: "s3cret-mapping",
  property: "s3cret-property",
  "configured property": "s3cret-configuration",
};

/** TENANT makes another name of each. */
export const program = `
  const pulumi = require("@pulumi/pulumi");
  const { UserGroup, UserGroups } = require("pulumi-user-groups");
  const region = new pulumi.Config().requireSecret("region");
  const name = pulumi.secret("${secrets.name}" + (process.env.TENANT || ""));
  new UserGroup("acme", {
    userGroupId: "acme", name, mapping: { sales: pulumi.secret("${secrets.mapping}") }, properties: { region },
  });
  new UserGroup("globex", { userGroupId: "globex", name, connection: "eu" });
  exports.tokens = new UserGroups("many", {
    groups: { initech: { name, properties: pulumi.secret({ licence: "${secrets.property}" }) } },
  }).tokens;
`;

/** In a provider's process: after a response an error that nobody catches, then a report of Node.js, then the end. */
export const crash = `
  const { REPORT } = process.env;
  if (process.argv.some((argument) => argument.includes("dynamic-provider"))) {
    const http = require("node:http");
    const { request } = http;
    const die = () => {
      process.report.writeReport(REPORT);
      process.kill(process.pid, "SIGKILL");
    };
    http.request = (...args) =>
      request(...args).once("response", (response) =>
        response.once("end", () => {
          setImmediate(die);
          throw new Error("no such luck");
        }),
      );
  }
`;
