/** The page of messages shows each error and warning as it is printed. */
import assert from "node:assert/strict";
import * as texts from "../../provider/src/core/messages/warnings";
import { errorCodes } from "../../provider/src/errors";
import { unresolvable } from "../harness/providers";
import { closedUrl, errorCases } from "./errorCases";
import { withError, type Context } from "./errorSteps";
import { snippetsOf } from "./pages";

const acme = { userGroupId: "acme" };
const change = { changed: ["name"], unknown: [], former: undefined, waiting: [] };

/** The type requires each code. */
const previews: Readonly<Record<texts.PreviewWarning, texts.WarningLine>> = {
  "created-unchecked": texts.createdUnchecked([acme]),
  "exponent-in-id": texts.exponentInId([{ userGroupId: "cust-1.1e+11" }]),
  "former-group-deleted": texts.formerGroupDeleted(acme, 1),
  "former-token": texts.formerToken(acme, texts.formerGroupText(24)),
  "groups-not-known": texts.groupsNotKnown(),
  "guards-not-known": texts.guardsNotKnown(),
  "ignored-changes-applied": texts.ignoredChangesApplied(acme, ["mapping"]),
  "new-token": texts.newToken(acme, { ...change, former: texts.formerGroupText(24) }),
  "planned-changes": texts.plannedChanges(['2 to create ("beta", "gamma")', '1 to delete ("acme")']),
  "possible-new-token": texts.newToken(acme, { ...change, unknown: ["name"] }),
  "to-be-settled": texts.toBeSettled(acme),
};
/** Of several texts with one code, the page shows that whose name is the code. */
const isShown = (name: string): name is texts.Warning =>
  name in texts.warnings && !/^adopted-(by|after)|retained-former|keepers-taken-over/.test(name);
const warnings = [
  ...Object.keys(texts.warnings)
    .filter(isShown)
    .map((name) => texts.warningOf(name, [acme], ["name"])),
  ...Object.values(previews),
];

describe("the page of messages", () => {
  const samples = snippetsOf("docs/messages.md", "text").map((sample) => sample.replaceAll("\n", " "));
  const samplesOf = (code: string) => samples.filter((sample) => /\[([a-z-]+)\]/.exec(sample)?.[1] === code);

  for (const code of errorCodes)
    it(`shows the message of ${code}`, () =>
      withError(errorCases[code], (message, context) => {
        const shown = samplesOf(code).filter((sample) => !warnings.some((line) => line === sample));
        assert.deepEqual(shown, [likeTheSample(message, context)]);
      }));

  it("shows each warning", () => {
    for (const code of new Set(warnings.map(codeOf)))
      assert.deepEqual(
        samplesOf(code).filter((sample) => !sample.startsWith("Cannot ")),
        warnings.filter((line) => codeOf(line) === code),
      );
  });
});

/** Ports, numbers of attempts and lines of the source differ from run to run. */
function likeTheSample(message: string, { emulator, otherUrl }: Context): string {
  return message
    .replaceAll(closedUrl, "https://analytics.example.com")
    .replaceAll(emulator.baseUrl, "https://analytics.example.com")
    .replaceAll(otherUrl, "https://other.example.com")
    .replaceAll(unresolvable, "nowhere")
    .replace(/, \d+ attempts/, ", 9 attempts")
    .replace(/ at [\w.]+:\d+/, " at client.js:12")
    .replaceAll("\n", " ");
}

function codeOf(line: string): string {
  return /\[([a-z-]+)\]$/.exec(line)?.[1] ?? line;
}
