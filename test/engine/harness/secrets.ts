/** Searches what was printed and written for secrets. */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Emulator } from "../../../provider/src/testing";

const deleteBody = z.object({ current_token: z.string() });

/** The API token and every group token that the emulator knows of now or has been sent. */
export function secretsOf(emulator: Emulator): string[] {
  const stored = [...emulator.groups.values()].map(({ token }) => token);
  const sent = emulator.requests.flatMap(({ body }) => deleteBody.safeParse(body).data?.current_token ?? []);
  return [emulator.apiToken, ...stored, ...sent];
}

/** Searches texts, and all files of the folders; of the secret found, the message names only where it was found. */
export async function assertNoSecrets(
  secrets: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
  folders: readonly string[],
): Promise<void> {
  const find = (where: string, text: string) => {
    for (const secret of secrets) assert(!text.includes(secret), `A secret can be read in ${where}`);
  };
  for (const [where, text] of texts) find(where, text);
  for (const folder of folders)
    // Links aren't followed: the engine itself is linked into its home.
    for (const entry of await fs.readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile()) find(file, await fs.readFile(file, "utf8"));
    }
}
