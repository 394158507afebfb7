// How a contestant that the Pulumi engine runs is made ready.
import { randomUUID } from "node:crypto";
import { newProject } from "../test/engine/harness/project";
import type { Command } from "./command";
import type { Contestant } from "./contestants";
import type { Service } from "./service";
import type { Workspace } from "./workspace";

export async function pulumiWorkspace(
  contestant: Contestant,
  files: Readonly<Record<string, string>>,
  service: Service,
): Promise<Workspace> {
  const project = await newProject(files);
  const env = {
    ...project.env,
    PULUMI_CONFIG_PASSPHRASE: randomUUID(),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    USER_GROUPS_BASE_URL: service.baseUrl,
    USER_GROUPS_API_TOKEN: service.apiToken,
    ...contestant.env,
  };
  const pulumi = (...args: string[]): Command => ({
    file: process.execPath,
    args: [launcher, ...args, "--non-interactive", "--color", "never"],
    cwd: project.folder,
    env,
  });
  const now = ["--stack", "dev", "--yes", "--skip-preview"];
  return {
    preparation: [pulumi("stack", "init", "--no-select", "dev")],
    commands: {
      up: pulumi("up", ...now),
      preview: pulumi("preview", "--stack", "dev", "--expect-no-changes"),
      refresh: pulumi("refresh", ...now, "--expect-no-changes"),
      destroy: pulumi("destroy", ...now),
    },
    stateBytes: async () => Buffer.byteLength(await project.state()),
    remove: () => project.remove(),
  };
}

const launcher = require.resolve("pulumi/run.js");
