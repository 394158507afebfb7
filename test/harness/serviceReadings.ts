/** Services whose tokens behave in ways that the interface leaves open, as faults of every get-or-create. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Emulator, Fault, RespondFault } from "../../provider/src/testing";

type GetOrCreateFault = Fault & RespondFault;

/**
 * fresh: each get-or-create gives the group another token. reused: a group that is created again gets its first token.
 * freed: a new group gets the token of a deleted one, the one that was free longest.
 */
export type TokenReading = "fresh" | "reused" | "freed";

/** A fault for the end of the queue: faults that hit first come before it. */
export function tokenReading(emulator: Emulator, reading: TokenReading): GetOrCreateFault {
  const firstTokens = new Map<string, string>();
  const issued = new Set<string>();
  return {
    kind: "respond",
    method: "GET",
    times: Infinity,
    respond: (response) => {
      const { data } = getOrCreateResponse.safeParse(JSON.parse(response.body));
      if (!data) return response;
      const { user_group: group, new_user_group: isNew } = data;
      const used = [...emulator.groups.values()].filter(
        ({ userGroupId }) => userGroupId !== group.provided_id,
      );
      const isFree = (token: string) => used.every((other) => other.token !== token);
      const tokens = {
        fresh: randomUUID(),
        reused: isNew ? firstTokens.get(group.provided_id) : undefined,
        freed: isNew ? [...issued].find((token) => isFree(token)) : undefined,
      };
      const token = tokens[reading] ?? group.token;
      if (!firstTokens.has(group.provided_id)) firstTokens.set(group.provided_id, token);
      issued.delete(token);
      issued.add(token);
      emulator.rotateToken(group.provided_id, token);
      return { ...response, body: JSON.stringify({ ...data, user_group: { ...group, token } }) };
    },
  };
}

/** The same for one request whose response is lost: a gateway responds instead. */
export function withLostResponse(reading: GetOrCreateFault): GetOrCreateFault {
  return {
    ...reading,
    times: 1,
    respond: (response) => {
      reading.respond(response);
      return { status: 503, headers: {}, body: "" };
    },
  };
}

const getOrCreateResponse = z.looseObject({
  new_user_group: z.boolean(),
  user_group: z.looseObject({ token: z.string(), provided_id: z.string() }),
});
