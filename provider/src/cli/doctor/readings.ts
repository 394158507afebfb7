/** The steps of a probe → what they show of the service, the settings to use, and what stays unknown. */
import { isEqual } from "../../values";
import { isDeletion, ways, type Step, type Way } from "./probe";
import { failed, ok, unknown, type Finding } from "./report";

type Shown = NonNullable<Step["group"]>;

export function readingsOf(steps: readonly Step[]): Finding[] {
  const [create, change, omit, ...later] = steps.filter(({ way }) => way === undefined);
  if (!create) return [];
  if (!create.group) return [notCreated(create)];
  const recreations = later.filter(({ isNew }) => isNew);
  const deletions = ways.filter((way) => isDeletion(steps, way));
  const existing = existingIn(create.group, change, omit);
  return [
    ok("The API token is accepted"),
    existingReadings[existing],
    unknown("The mapping of an existing group can't be checked, because the service never returns it"),
    [create, ...recreations].some(isNormalized)
      ? ok("The service normalizes values: it returns others than it gets (blanks or case)")
      : ok("Names and properties are returned as they were sent, with blanks and case"),
    propertiesReading(create.group, recreations[0]?.group),
    deletionReading(steps, deletions),
    refusalReading(steps),
    settingsReading(steps, existing === "updates", deletions),
  ];
}

function notCreated({ status, success }: Step): Finding {
  const text =
    status === 401 || status === 403
      ? "The API token isn't accepted"
      : success === 0
        ? "The service refused to create a group (success 0), and gives no reason"
        : "The response isn't that of a user group with the ID of the request";
  return failed(`${text} (status ${status})`, "Check the settings apiToken and baseUrl.");
}

const existingReadings = {
  keeps: ok("Get-or-create keeps the name and properties of an existing group, and returns what is stored"),
  updates: ok(
    "Get-or-create updates the name and properties of an existing group, and returns what is stored",
  ),
  /** The response repeats the request, so it shows nothing stored. */
  unclear: unknown(
    "Get-or-create returns requested values of an existing group: it updates the group, or only repeats the request",
    "Ask the service's operator, or change a group and look at it in the service's own pages.",
  ),
  unseen: unknown("What get-or-create does with an existing group wasn't seen: it returned none"),
};

function existingIn(created: Shown, change?: Step, omit?: Step): keyof typeof existingReadings {
  const changed = change?.group;
  if (!changed) return "unseen";
  const { name, properties } = changed;
  if (name === created.name && isEqual(properties, created.properties)) return "keeps";
  const isOther = name !== change.sent["name"] && name !== created.name;
  const isMerged = isEqual(omit?.group?.properties, properties) && !isEqual(properties, undefined);
  return isOther || isMerged ? "updates" : "unclear";
}

function isNormalized({ sent, group }: Step): boolean {
  const isShown = !isEqual(group?.properties, undefined);
  return group?.name !== sent["name"] || (isShown && !isEqual(group?.properties, sent["properties"]));
}

function propertiesReading({ properties }: Shown, recreated: Shown | undefined): Finding {
  const none = properties === undefined ? "absent" : properties === null ? "null" : "an object";
  const isReturned = !isEqual(recreated?.properties, undefined);
  const some = !recreated ? "weren't seen" : isReturned ? "are returned" : "are never returned";
  return ok(`Properties ${some}; for a group without them, the field properties is ${none}`);
}

function deletionReading(steps: readonly Step[], deletions: readonly Way[]): Finding {
  if (deletions.length === 0)
    return unknown("No deletion was seen to succeed", "Ask the service's operator which fields it needs.");
  const gone = steps.find(({ way }, index) => way && way === steps[index - 1]?.way);
  const outcome = gone && `${gone.success === 1 ? "succeeds" : "is refused"} (status ${gone.status})`;
  return ok(
    `A deletion needs ${deletions.join(", or ")}. ` +
      `The deletion of a group that is gone ${outcome ?? "wasn't tried"}`,
  );
}

function refusalReading(steps: readonly Step[]): Finding {
  const refused = steps.filter(({ success }) => success === 0);
  const statuses = [...new Set(refused.map(({ status }) => status))].sort();
  if (statuses.length === 0) return unknown("No request was refused, so the status of a refusal isn't known");
  return ok(`A refusal has status ${statuses.join(" or ")}`);
}

/** Enough requests at a time for about 30 a second. */
function settingsReading(steps: readonly Step[], isUpdating: boolean, deletions: readonly Way[]) {
  const times = steps.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  const median = Math.round(times[Math.floor(times.length / 2)] ?? 0);
  const connections = Math.min(64, Math.max(16, Math.ceil((median / 1000) * 30)));
  const needsSource = deletions.some((way) => way.includes("data_source"));
  return ok(
    `A request takes ${median} ms. Use changes: ${isUpdating ? "update" : "replace (the default)"}, ` +
      `maxConnections: ${connections}${connections === 16 ? " (the default)" : ""}` +
      (needsSource ? ", and the argument dataSourceProvidedId" : ""),
  );
}
