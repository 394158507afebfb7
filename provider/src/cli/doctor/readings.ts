/** The responses of a probe → what they show of the service, the settings to use, and what stays unknown. */
import { deleteResponse, getOrCreateResponse, refusal } from "../../service/contract";
import { isEqual } from "../../values";
import type { Result } from "./report";
import type { Exchange, Steps, Way } from "./probe";

/** The first reading has failed if the group wasn't created. Then there is no other. */
export function readingsOf(steps: Steps): Result[] {
  const created = groupIn(steps.create);
  if (!created) return steps.create ? [notCreated(steps.create)] : [];
  return [
    { status: "ok", text: "The API token is accepted" },
    existingReading(steps),
    unknown("The mapping of an existing group can't be checked, because the service never returns it"),
    normalizationReading(steps),
    propertiesReading(steps),
    deletionReading(steps),
    goneReading(steps),
    refusalReading(steps),
    settingsReading(steps),
  ];
}

function notCreated({ status, body }: Exchange): Result {
  if (status === 401 || status === 403)
    return failed(`The API token isn't accepted (status ${status})`, "Check the setting apiToken.");
  if (refusal.safeParse(body).success)
    return failed(
      `The service refused to create a group (success 0, status ${status}), and gives no reason`,
      "Check the settings apiToken and baseUrl.",
    );
  return failed(`The response isn't that of a user group (status ${status})`, "Check the setting baseUrl.");
}

/** What get-or-create does with an existing group. `unclear`: the response repeats the request, so nothing stored is seen. */
function existingIn(steps: Steps): "keeps" | "updates" | "unclear" | undefined {
  const [created, changed, omitted] = [groupIn(steps.create), groupIn(steps.change), groupIn(steps.omit)];
  if (!created || !changed) return undefined;
  const isKept = changed.name === created.name && isEqual(changed.properties, created.properties);
  if (isKept) return "keeps";
  const isStored = changed.name !== steps.change?.sent["name"] && changed.name !== created.name;
  const isMerged =
    isEqual(omitted?.properties, changed.properties) && !isEqual(changed.properties, undefined);
  return isStored || isMerged ? "updates" : "unclear";
}

function existingReading(steps: Steps): Result {
  const kinds = {
    keeps: ok("Get-or-create keeps the name and properties of an existing group, and returns what is stored"),
    updates: ok(
      "Get-or-create updates the name and properties of an existing group, and returns what is stored",
    ),
    unclear: unknown(
      "Get-or-create returns the values of the request: it updates an existing group, or only repeats the request",
      "Ask the service's operator, or look at a changed group in the service's own pages.",
    ),
  };
  const kind = existingIn(steps);
  return kind ? kinds[kind] : unknown("The effect of get-or-create on an existing group wasn't seen");
}

function normalizationReading(steps: Steps): Result {
  const exchanges = [steps.create, recreated(steps)];
  const differs = exchanges.some((exchange) => {
    const group = groupIn(exchange);
    const isOther =
      !isEqual(group?.properties, undefined) && !isEqual(group?.properties, exchange?.sent["properties"]);
    return group && (group.name !== exchange?.sent["name"] || isOther);
  });
  if (differs) return ok("The service normalizes values: it returns others than it gets (blanks or case)");
  return ok("Names and properties are returned as they were sent, with blanks and case");
}

function propertiesReading(steps: Steps): Result {
  const without = groupIn(steps.create)?.properties;
  const none = without === undefined ? "absent" : without === null ? "null" : "an object";
  const group = groupIn(recreated(steps));
  if (!group) return ok(`For a group without properties, the field properties is ${none}`);
  const some = isEqual(group.properties, undefined) ? "are never returned" : "are returned";
  return ok(`Properties ${some}; for a group without them, the field properties is ${none}`);
}

const fieldsOf: Record<Way, string> = {
  id: "user_group_id",
  token: "current_token",
  both: "user_group_id and current_token",
  all: "user_group_id, current_token and data_source_provided_id",
};

function deletionReading(steps: Steps): Result {
  const alone = (["id", "token"] as const).filter((way) => isDeleted(steps, way));
  const way =
    alone.length > 0 ? undefined : (["both", "all"] as const).find((each) => isDeleted(steps, each));
  if (alone.length > 0)
    return ok(`A deletion needs only ${alone.map((each) => fieldsOf[each]).join(", or only ")}`);
  if (way) return ok(`A deletion needs ${fieldsOf[way]}`);
  return unknown("No deletion succeeded", "Ask the service's operator which fields a deletion needs.");
}

/** A success counts only if a group was new afterwards. */
function isDeleted(steps: Steps, way: Way): boolean {
  const after = steps[`create after ${way}`];
  const isNew =
    after === undefined || getOrCreateResponse.safeParse(after.body).data?.new_user_group === true;
  return deleteResponse.safeParse(steps[way]?.body).success && isNew;
}

function goneReading({ gone }: Steps): Result {
  if (!gone) return unknown("The deletion of a group that is gone wasn't tried");
  const effect = deleteResponse.safeParse(gone.body).success ? "succeeds" : "is refused";
  return ok(`The deletion of a group that is gone ${effect} (status ${gone.status})`);
}

function refusalReading(steps: Steps): Result {
  const refused = Object.values(steps).filter(({ body }) => refusal.safeParse(body).success);
  const statuses = [...new Set(refused.map(({ status }) => status))].sort();
  if (statuses.length === 0) return unknown("No request was refused, so the status of a refusal isn't known");
  return ok(`A refusal has status ${statuses.join(" or ")}`);
}

/** Enough requests at a time for about 30 a second. */
function settingsReading(steps: Steps): Result {
  const times = Object.values(steps).map(({ milliseconds }) => milliseconds);
  const median = Math.round(times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0);
  const connections = Math.min(64, Math.max(16, Math.ceil((median / 1000) * 30)));
  const isUpdating = existingIn(steps) === "updates";
  const needsSource = !isDeleted(steps, "both") && isDeleted(steps, "all");
  return ok(
    `A request takes ${median} ms. Use changes: ${isUpdating ? "update" : "replace (the default)"}, ` +
      `maxConnections: ${connections}${connections === 16 ? " (the default)" : ""}` +
      (needsSource ? ", and the argument dataSourceProvidedId" : ""),
  );
}

function recreated(steps: Steps): Exchange | undefined {
  const ways = ["id", "token", "both", "all"] as const;
  return ways.map((way) => steps[`create after ${way}`]).find((exchange) => exchange !== undefined);
}

function groupIn(exchange: Exchange | undefined) {
  return getOrCreateResponse.safeParse(exchange?.body).data?.user_group;
}

function ok(text: string): Result {
  return { status: "ok", text };
}

function unknown(text: string, remedy?: string): Result {
  return { status: "unknown", text, ...(remedy !== undefined && { remedy }) };
}

function failed(text: string, remedy: string): Result {
  return { status: "failed", text, remedy };
}
