/** The responses of a probe → what they show of the service, the settings to use, and what stays unknown. */
import { isEqual } from "../../values";
import { finding, type Finding } from "./report";
import { recreatedIn, type ProbeExchange, type Steps, type Way } from "./probe";

const ok = (text: string) => finding("ok", text);
const unknown = (text: string, remedy?: string) => finding("unknown", text, remedy);

export function readingsOf(steps: Steps): Finding[] {
  if (!steps.create) return [];
  if (!steps.create.created) return [notCreated(steps.create)];
  return [
    ok("The API token is accepted"),
    ...idReadings(steps.create),
    existingReadings[existingIn(steps)],
    unknown("The mapping of an existing group can't be checked, because the service never returns it"),
    valuesReading(steps),
    propertiesReading(steps),
    deletionReading(steps),
    refusalReading(steps),
    settingsReading(steps),
  ];
}

function notCreated({ status, success }: ProbeExchange): Finding {
  const text =
    status === 401 || status === 403
      ? "The API token isn't accepted"
      : success === 0
        ? "The service refused to create a group (success 0), and gives no reason"
        : "The response isn't that of a user group";
  return finding("failed", `${text} (status ${status})`, "Check the settings apiToken and baseUrl.");
}

function idReadings({ sent, created }: ProbeExchange): Finding[] {
  if (created?.user_group.provided_id === sent["user_group_id"]) return [];
  const remedy =
    "Use the service's own spelling of IDs (case, spaces). With another one, pulumi up fails (wrong-group).";
  return [finding("failed", "The service returns another ID than it got", remedy)];
}

/** What get-or-create does with an existing group. `unclear`: the response repeats the request, so it shows nothing stored. */
function existingIn(steps: Steps): keyof typeof existingReadings {
  const [created, changed, omitted] = [groupIn(steps.create), groupIn(steps.change), groupIn(steps.omit)];
  if (!created || !changed) return "unseen";
  if (changed.name === created.name && isEqual(changed.properties, created.properties)) return "keeps";
  const isNormalized = changed.name !== steps.change?.sent["name"] && changed.name !== created.name;
  const isMerged =
    isEqual(omitted?.properties, changed.properties) && !isEqual(changed.properties, undefined);
  return isNormalized || isMerged ? "updates" : "unclear";
}

const existingReadings = {
  keeps: ok("Get-or-create keeps the name and properties of an existing group, and returns what is stored"),
  updates: ok(
    "Get-or-create updates the name and properties of an existing group, and returns what is stored",
  ),
  unclear: unknown(
    "Get-or-create returns requested values of an existing group: it updates the group, or only repeats the request",
    "Ask the service's operator, or change a group and look at it in the service's own pages.",
  ),
  unseen: unknown("What get-or-create does with an existing group wasn't seen: it returned none"),
};

function valuesReading(steps: Steps): Finding {
  const isChanged = [steps.create, recreatedIn(steps)].some((exchange) => {
    const { name, properties } = groupIn(exchange) ?? {};
    if (!exchange || name === undefined) return false;
    const isShown = !isEqual(properties, undefined);
    return name !== exchange.sent["name"] || (isShown && !isEqual(properties, exchange.sent["properties"]));
  });
  if (isChanged) return ok("The service normalizes values: it returns others than it gets (blanks or case)");
  return ok("Names and properties are returned as they were sent, with blanks and case");
}

function propertiesReading(steps: Steps): Finding {
  const { properties } = groupIn(steps.create) ?? {};
  const none = properties === undefined ? "absent" : properties === null ? "null" : "an object";
  const group = groupIn(recreatedIn(steps));
  const some = !group
    ? "weren't seen"
    : isEqual(group.properties, undefined)
      ? "are never returned"
      : "are returned";
  return ok(`Properties ${some}; for a group without them, the field properties is ${none}`);
}

const fieldsOf: Record<Way, string> = {
  id: "user_group_id",
  token: "current_token",
  both: "user_group_id and current_token",
  all: "user_group_id, current_token and data_source_provided_id",
};

function deletionReading(steps: Steps): Finding {
  const alone = (["id", "token"] as const).filter((way) => isDeleted(steps, way));
  const together = (["both", "all"] as const).filter((way) => isDeleted(steps, way));
  const fields = alone.length > 0 ? alone.map((way) => `only ${fieldsOf[way]}`).join(", or ") : undefined;
  const needed = fields ?? together.map((way) => fieldsOf[way])[0];
  if (needed === undefined)
    return unknown("No deletion succeeded", "Ask the service's operator which fields a deletion needs.");
  const gone =
    steps.gone && `${steps.gone.success === 1 ? "succeeds" : "is refused"} (status ${steps.gone.status})`;
  return ok(`A deletion needs ${needed}. The deletion of a group that is gone ${gone ?? "wasn't tried"}`);
}

/** A success counts only if a group was new afterwards. */
function isDeleted(steps: Steps, way: Way): boolean {
  return steps[way]?.success === 1 && steps[`create after ${way}`]?.created?.new_user_group !== false;
}

function refusalReading(steps: Steps): Finding {
  const refused = Object.values(steps).filter(({ success }) => success === 0);
  const statuses = [...new Set(refused.map(({ status }) => status))].sort();
  if (statuses.length === 0) return unknown("No request was refused, so the status of a refusal isn't known");
  return ok(`A refusal has status ${statuses.join(" or ")}`);
}

/** Enough requests at a time for about 30 a second. */
function settingsReading(steps: Steps): Finding {
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

function groupIn(exchange: ProbeExchange | undefined) {
  return exchange?.created?.user_group;
}
