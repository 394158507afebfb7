/** States that released versions wrote, as `pulumi stack export` gives them, with what the service held then. */
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import { newStack, succeeds } from "../harness";

/** Encrypts the secrets of the states; it protects nothing but the tokens of an emulator. */
export const passphrase = "passphrase of the recorded states";

const fixtures = resolve(__dirname, "../../fixtures/state");

export interface RecordedState {
  /** The text of index.js. TENANT in its environment is a part of each group's name. */
  readonly program: string;
  /** The file to import, and its text. */
  readonly file: string;
  readonly state: string;
  /** The tokens of its groups. */
  readonly tokens: readonly string[];
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
    state: text("stack.json"),
    tokens: groups.map(({ token }) => token),
    restore: (emulator) => {
      for (const { token, ...values } of groups) {
        emulator.putGroup(values);
        emulator.rotateToken(values.userGroupId, token);
      }
    },
  };
}

/** Settings of the programs' second service, which is the first under another name. */
export function secondService({ baseUrl, apiToken }: Emulator): Record<string, string> {
  return { USER_GROUPS_EU_BASE_URL: baseUrl, USER_GROUPS_EU_API_TOKEN: apiToken };
}

/** Runs `program` with the version that is built, and keeps what engine and service hold after it; never a second time. */
export async function recordState(version: string, program: string): Promise<void> {
  const emulator = await startEmulator();
  const env = { PULUMI_CONFIG_PASSPHRASE: passphrase, ...secondService(emulator) };
  const stack = await newStack({ emulator, program, env, secrets: [passphrase] });
  try {
    emulator.putGroup({ userGroupId: "adopted", name: "Tenant adopted" });
    succeeds(await stack.up());
    const { stdout } = succeeds(await stack.export());
    const folder = join(fixtures, version);
    fs.mkdirSync(folder);
    fs.writeFileSync(join(folder, "program.txt"), program);
    const write = (name: string, text: string) => {
      fs.writeFileSync(join(folder, name), `${text}\n`);
    };
    write("stack.json", JSON.stringify(JSON.parse(stdout), withoutPlaces, 2));
    write("groups.json", JSON.stringify([...emulator.groups.values()], undefined, 2));
  } finally {
    await stack.remove();
    await emulator.stop();
  }
}

/** The engine records at which line of which file a resource was made: a path of the machine that it ran on. */
function withoutPlaces(key: string, value: unknown): unknown {
  return key === "sourcePosition" || key === "stackTrace" ? undefined : value;
}

const storedGroups = z.array(
  z
    .object({
      userGroupId: z.string(),
      name: z.string(),
      mapping: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      properties: z.record(z.string(), z.unknown()).optional(),
      token: z.string(),
    })
    .transform(({ mapping, properties, ...group }) => ({
      ...group,
      ...(mapping && { mapping }),
      ...(properties && { properties }),
    })),
);
