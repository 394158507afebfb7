import { z } from "zod";
import type { Emulator } from "../../../provider/src/testing";

const deleteBody = z.object({ current_token: z.string() });

/** The API token and every group token that the emulator knows of now or has been sent. */
export function secretsOf(emulator: Emulator): string[] {
  const stored = [...emulator.groups.values()].map(({ token }) => token);
  const sent = emulator.requests.flatMap(({ body }) => deleteBody.safeParse(body).data?.current_token ?? []);
  return [emulator.apiToken, ...stored, ...sent];
}
