/** States that released versions wrote, as `pulumi stack export` gives them, with what the service held then. */
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { newStack, succeeds } from "../harness";
import type { StackOptions } from "../harness/stackOptions";

const fixtures = resolve(__dirname, "../../fixtures/state");

export interface RecordedState {
  /** The text of index.js. TENANT in its environment is a part of each group's name. */
  readonly program: string;
  /** The file to import. */
  readonly file: string;
  /** Makes the groups that the service held, with their tokens. */
  readonly restore: (emulator: Emulator) => void;
}

/** The versions that have a state. */
export function recordedVersions(): string[] {
  return fs.readdirSync(fixtures).sort();
}

export function recordedState(version: string): RecordedState {
  const text = (name: string) => fs.readFileSync(join(fixtures, version, name), "utf8");
  const groups = storedGroups.parse(JSON.parse(text("groups.json")));
  return {
    program: text("program.txt"),
    file: join(fixtures, version, "stack.json"),
    restore: (emulator) => {
      for (const { token, mapping, properties, ...values } of groups) {
        emulator.putGroup({ ...values, ...(mapping && { mapping }), ...(properties && { properties }) });
        emulator.rotateToken(values.userGroupId, token);
      }
    },
  };
}

const storedGroups = z.array(
  z.object({
    userGroupId: z.string(),
    name: z.string(),
    mapping: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
    token: z.string(),
  }),
);

/** The programs' second service is the first under another name. The passphrase protects the tokens of an emulator only. */
export function stackOptions({ baseUrl, apiToken }: Emulator, program: string): StackOptions {
  const passphrase = "passphrase of the recorded states";
  const second = { USER_GROUPS_EU_BASE_URL: baseUrl, USER_GROUPS_EU_API_TOKEN: apiToken };
  return { program, env: { PULUMI_CONFIG_PASSPHRASE: passphrase, ...second }, secrets: [passphrase] };
}

/**
 * Runs the newest recorded program with the version that is built, and keeps what engine and service hold after it; never
 * a second time.
 */
export async function recordState(version: string): Promise<void> {
  const { program } = recordedState(recordedVersions().at(-1) ?? "");
  const emulator = await startEmulator();
  const stack = await newStack({ emulator, ...stackOptions(emulator, program) });
  try {
    emulator.putGroup({ userGroupId: "adopted", name: "Tenant adopted" });
    succeeds(await stack.up());
    const { stdout } = succeeds(await stack.run(["stack", "export", "--stack", "dev"]));
    const folder = join(fixtures, version);
    fs.mkdirSync(folder);
    fs.writeFileSync(join(folder, "program.txt"), program);
    const write = (name: string, value: unknown) => {
      fs.writeFileSync(join(folder, name), `${JSON.stringify(value, withoutPlaces)}\n`);
    };
    write("stack.json", JSON.parse(stdout));
    write("groups.json", [...emulator.groups.values()]);
  } finally {
    await stack.remove();
    await emulator.stop();
  }
}

/** The engine records at which line of which file a resource was made: a path of the machine that it ran on. */
function withoutPlaces(key: string, value: unknown): unknown {
  return key === "sourcePosition" || key === "stackTrace" ? undefined : value;
}
