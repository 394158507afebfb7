/** What a probe has seen → what it means, the settings to use, and what stays unknown. */
import { withRemedy } from "../../errors";
import { isEqual } from "../../values";
import { valuesAfter, valuesBefore, type Probe } from "./probe";
import { failed, ok, unknown, warning, type Finding } from "./report";

export function readingsOf(probe: Probe): Finding[] {
  if (probe.results.length === 0) return [];
  return [
    ok("The API token is accepted"),
    ...newnessReadings(probe),
    existingReading("name", probe),
    existingReading("properties", probe),
    unknown("The mapping of an existing group can't be checked, because the service never returns it"),
    ...tokenReadings(probe),
    deletionReading(probe),
    settingsReading(probe),
  ];
}

/** The first get-or-create creates the group, and the second one, of the change, finds it. */
function newnessReadings({ results }: Probe): Finding[] {
  const remedy = "Don't use the package with this service: report new_user_group to the service's operator.";
  const findings: Finding[] = [];
  if (results[0]?.isNew === false)
    findings.push(
      failed("The service says of a group that it has just created that it existed before", remedy),
    );
  if (results[1]?.isNew)
    findings.push(failed("The service says of an existing group that it is new", remedy));
  return findings;
}

type Field = "name" | "properties";

function existingReading(field: Field, probe: Probe): Finding {
  const effect = effectOn(field, probe);
  if (effect !== "unknown") return ok(`Get-or-create ${effect} the ${field} of an existing group`);
  return unknown(
    `Get-or-create may update the ${field} of an existing group, or only repeat the request: nothing stored was seen`,
    "Ask the service's operator, or change a group and look at it in the service's own pages.",
  );
}

/** An update is believed only from a request without the values. A kept value is no repetition, whatever the request was. */
function effectOn(field: Field, { results, read }: Probe): "keeps" | "updates" | "unknown" {
  const shown = read ?? results[1]?.group;
  if (isEqual(shown?.[field], valuesBefore[field])) return "keeps";
  return isEqual(read?.[field], valuesAfter[field]) ? "updates" : "unknown";
}

function tokenReadings({ results }: Probe): Finding[] {
  const findings: Finding[] = [];
  const tokens = results.map(({ group }) => group.token);
  if (results.some(({ isNew }, index) => !isNew && index > 0 && tokens[index] !== tokens[index - 1]))
    findings.push(
      warning(
        "Each get-or-create returns another token, so each pulumi refresh records new tokens and warns that they changed",
        "Deliver the tokens after each refresh. Ask the service's operator whether former tokens stay valid.",
      ),
    );
  const created = tokens.filter((_, index) => results[index]?.isNew);
  if (new Set(created).size < created.length)
    findings.push(
      warning(
        "A group that is deleted and created again gets its former token, so that keepers don't replace a leaked token",
        "Ask the service's operator how a token becomes invalid.",
      ),
    );
  return findings;
}

function deletionReading({ isDeleted, refusal, results }: Probe): Finding {
  if (isDeleted && results[1]?.isNew)
    return unknown("A deletion was reported, but not seen, because the service calls each group new");
  if (isDeleted) return ok("A deletion deletes the group");
  if (refusal && refusal.code !== "service-refused") return failed(refusal.sentence);
  const problem = refusal && withRemedy(refusal, "", "").sentence.trim();
  return failed(
    problem ?? "No deletion was seen to delete the group",
    "If deletions need data_source_provided_id, set --data-source to the ID of a data source of yours.",
  );
}

function settingsReading(probe: Probe): Finding {
  const isUpdating = effectOn("name", probe) === "updates" && effectOn("properties", probe) === "updates";
  return ok(
    `A request takes ${Math.round(probe.milliseconds)} ms. Use changes: ${isUpdating ? "update" : "replace (the default)"}`,
  );
}
