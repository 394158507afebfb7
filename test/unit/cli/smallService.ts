/** A user group service of another author than the emulator's, which behaves as the probe's matrix says. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { portOf } from "../../harness/port";

export interface Behavior {
  readonly existing: keyof typeof existing;
  /** `requested`: exactly, also without a name. `trimmed`: the request without blanks, and what is stored where it has nothing. */
  readonly response: "stored" | "requested" | "trimmed";
  /** `fresh`: another one in each response. `reused`: the former one, if the group is created again. */
  readonly token: "random" | "fresh" | "reused";
  readonly deletion: keyof typeof deletions;
  /** The response to a deletion that deletes nothing. */
  readonly nothing: "refused" | "success";
  readonly refusal: number;
  readonly maxIdLength: number;
  readonly needsMapping: boolean;
}

interface Values {
  readonly name?: string | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/** The values stored before and those of the request → the values stored then. */
export const existing = {
  keeps: (stored: Values) => stored,
  replaces: (_: Values, sent: Values) => sent,
  "replaces, reads by the ID alone": (stored: Values, sent: Values) => (sent.name ? sent : stored),
  "replaces what is sent": replaced,
  merges: (stored: Values, sent: Values) => ({
    ...replaced(stored, sent),
    properties: { ...stored.properties, ...sent.properties },
  }),
  "updates the name": ({ properties }: Values, sent: Values) => ({ ...replaced({}, sent), properties }),
  "updates properties": (stored: Values, sent: Values) => ({ ...replaced(stored, sent), name: stored.name }),
} as const satisfies Record<string, (stored: Values, sent: Values) => Values>;

export const deletions = {
  "only current_token": ["current_token"],
  "only user_group_id": ["user_group_id"],
  "user_group_id and current_token": ["user_group_id", "current_token"],
  "user_group_id, current_token and data_source_provided_id": [
    "user_group_id",
    "current_token",
    "data_source_provided_id",
  ],
} as const;

export const mapping = { sales: "warehouse" };

function replaced(stored: Values, { name, properties }: Values): Values {
  return { name: name ?? stored.name, properties: properties ?? stored.properties };
}

const body = z.object({
  name: z.string().optional(),
  user_group_id: z.string().optional(),
  current_token: z.string().optional(),
  data_source_provided_id: z.string().optional(),
  mapping: z.object().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});
type Body = z.infer<typeof body>;

export class SmallService {
  readonly groups = new Map<string, Values & { token: string }>();
  requests = 0;
  #tokens = 0;
  readonly #server = createServer((request, response) => {
    this.requests += 1;
    void json(request).then((sent) => {
      const answer =
        request.method === "GET" ? this.#getOrCreate(body.parse(sent)) : this.#delete(body.parse(sent));
      this.#respond(response, answer);
    });
  });

  constructor(private readonly behavior: Behavior) {}

  async start(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Undefined: refused. */
  #getOrCreate({ user_group_id: id = "", mapping, ...sent }: Body): object | undefined {
    const { existing: mode, token, needsMapping, maxIdLength } = this.behavior;
    const former = this.groups.get(id);
    const isNameMissing = sent.name === undefined && (!former || mode === "replaces");
    if (id.length > maxIdLength || isNameMissing || (needsMapping && !mapping)) return undefined;
    const values = former ? existing[mode](former, sent) : sent;
    const kept = token === "fresh" ? undefined : former?.token;
    const created = token === "reused" ? `token of ${id}` : `token ${++this.#tokens}`;
    const group = { ...values, token: kept ?? created };
    this.groups.set(id, group);
    const user_group = { ...this.#shown(values, sent), token: group.token, provided_id: id };
    return { success: 1, new_user_group: !former, user_group };
  }

  #shown(stored: Values, { name, properties }: Values): Values {
    if (this.behavior.response === "stored") return stored;
    if (this.behavior.response === "requested") return { name, properties };
    return trimmed(replaced(stored, { name, properties }));
  }

  #delete(sent: Body): object | undefined {
    const needed = deletions[this.behavior.deletion];
    const found = [...this.groups].find(([id, { token }]) => {
      const right = { user_group_id: id, current_token: token, data_source_provided_id: mapping.sales };
      return needed.every((field) => sent[field] === right[field]);
    });
    if (found) this.groups.delete(found[0]);
    return found || this.behavior.nothing === "success" ? { success: 1 } : undefined;
  }

  #respond(response: ServerResponse, answer: object | undefined): void {
    response.writeHead(answer ? 200 : this.behavior.refusal, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { success: 0 }));
  }
}

function trimmed({ name, properties }: Values): Values {
  const entries = Object.entries(properties ?? {}).map(
    ([key, value]) => [key, String(value).trim()] as const,
  );
  return { name: name?.trim(), properties: properties && Object.fromEntries(entries) };
}
