/** The two operations of the service, in its own words: get-or-create and delete of a user group. */
import type { Subject } from "./errors";
import { explainFault, explainFlaw, explainStatus, explainWrongGroup, type Exchanged } from "./explain";
import { deleteAnswer, getOrCreateAnswer, parse, refusal, type Group } from "./schema";
import type { Settings } from "./settings";
import { Deadline, exchange, type JsonRequest } from "./transport";
import { TransportError } from "./transportError";

/** A user group as the service shows it. It never shows the mapping. */
export interface ShownGroup {
  readonly token: string;
  readonly name: string;
  /** Undefined where the answer carries none, which doesn't mean that the group has none. */
  readonly properties: Group["properties"];
}

export interface GotOrCreated {
  readonly group: ShownGroup;
  /** Whether this call made the group. */
  readonly isNew: boolean;
  /** Whether an earlier attempt of this call may have made the group, though its answer was lost. */
  readonly answerLost: boolean;
}

export interface Client {
  readonly subject: Subject;
  /** The service and the group in it, as one string. */
  readonly address: string;
  /** GET /api/user (interface, "Get or create a user group"). Throws UserGroupError. */
  getOrCreate(group: Group): Promise<GotOrCreated>;
  /** DELETE /api/user (interface, "Delete a user group"). Throws UserGroupError. */
  deleteGroup(group: Group, token: string): Promise<void>;
}

/** A client for one operation: all its requests share one deadline, and its errors name the operation. */
export function newClient(settings: Settings, subject: Subject): Client {
  const deadline = new Deadline(settings.timeout);
  return {
    subject,
    address: addressOf(settings.baseUrl, subject.userGroupId),
    async getOrCreate({ userGroupId, name, mapping, properties }) {
      const body = { name, user_group_id: userGroupId, mapping, properties };
      const exchanged = await request(
        { ...endpoint(settings), method: "GET", body },
        settings,
        deadline,
        subject,
      );
      return toGotOrCreated(exchanged);
    },
    async deleteGroup({ userGroupId, dataSourceProvidedId }, token) {
      const body = {
        user_group_id: userGroupId,
        current_token: token,
        data_source_provided_id: dataSourceProvidedId,
      };
      const exchanged = await request(
        { ...endpoint(settings), method: "DELETE", body },
        settings,
        deadline,
        subject,
      );
      parse(deleteAnswer, exchanged.answer.body, (flaw) => explainFlaw(flaw, exchanged));
    },
  };
}

/** The service and the group in it, as one string. */
export function addressOf(baseUrl: URL, userGroupId: string): string {
  return `${baseUrl.href} ${userGroupId}`;
}

function endpoint({ baseUrl, apiToken }: Settings): Pick<JsonRequest, "url" | "authorization"> {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/*$/, "/api/user");
  return { url, authorization: `Token ${apiToken}` };
}

/** Gives an answer with a status of success that is no refusal; everything else is an error. */
async function request(
  request: JsonRequest,
  { maxConnections }: Settings,
  deadline: Deadline,
  subject: Subject,
): Promise<Exchanged> {
  try {
    const answer = await exchange(request, { deadline, maxConnections, isLastWord: isRefusal });
    const exchanged = { request, answer, subject };
    if (answer.status < 200 || answer.status > 299 || isRefusal(answer.body))
      throw explainStatus(exchanged, isRefusal(answer.body));
    return exchanged;
  } catch (error) {
    throw error instanceof TransportError ? explainFault(error, request, subject) : error;
  }
}

function isRefusal(body: unknown): boolean {
  return refusal.safeParse(body).success;
}

/** Another group's token must never be stored, so that the answer must name the group that was asked for. */
function toGotOrCreated(exchanged: Exchanged): GotOrCreated {
  const { answer, subject } = exchanged;
  const parsed = parse(getOrCreateAnswer, answer.body, (flaw) => explainFlaw(flaw, exchanged));
  const { token, name, properties, provided_id: providedId } = parsed.user_group;
  if (providedId !== subject.userGroupId) throw explainWrongGroup(exchanged);
  return {
    group: { token, name, properties: properties ?? undefined },
    isNew: parsed.new_user_group,
    answerLost: answer.answerLost,
  };
}
