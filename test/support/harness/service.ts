import type { Service } from "../../../provider/service/http/channel";
import type { Emulator } from "../../../provider/testing";

/** The emulator, or another address, as a service with the default settings. */
export function serviceOf({ baseUrl, apiToken }: Pick<Emulator, "baseUrl" | "apiToken">): Service {
  return {
    url: new URL(`${baseUrl}/api/user`),
    authorization: `Token ${apiToken}`,
    maxConnections: 16,
    attemptMilliseconds: 20_000,
  };
}
