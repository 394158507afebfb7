/** The page of messages: each code with its messages as they are printed, every other text of the catalogue, and what else to know. */
import * as texts from "../../provider/core/messages/warnings";
import {
  catalogue,
  errorCodes,
  warningCodes,
  type Code,
  type Row,
  type Text,
  type WarningCode,
} from "../../provider/messages/catalogue";
import { fill } from "../../provider/messages/message";
import { closedUrl, errorCases } from "../../test/pages/errorCases";
import { withError, type Context } from "../../test/pages/errorSteps";
import { unresolvable } from "../../test/support/harness/providers";
import { code } from "./markdown";

/** The sections of all errors. Each message is that of a real failure. */
export async function errorSections(): Promise<string> {
  const sections: string[] = [];
  for (const each of errorCodes) {
    const samples: string[] = [];
    await withError(errorCases[each], (message, context) => {
      samples.push(likeTheSample(message, context));
    });
    sections.push(sectionOf(each, samples));
  }
  return sections.join("\n\n");
}

export function warningSections(): string {
  return warningCodes.map((each) => sectionOf(each, [sampleOf(each)])).join("\n\n");
}

/** `- [code](#code): a few words` */
export function listOf(kind: Row["kind"]): string {
  const codes: readonly Code[] = kind === "error" ? errorCodes : warningCodes;
  return codes.map((each) => `- [${code(each)}](#${each}): ${catalogue[each].meaning}`).join("\n");
}

function sectionOf(of: Code, samples: readonly string[]): string {
  const row: Row = catalogue[of];
  const others = Object.values(row.texts).filter((text) => !samples.some((sample) => isSaidIn(sample, text)));
  const parts = [
    `### ${code(of)}`,
    ...samples.map((sample) => `\`\`\`text\n${sample}\n\`\`\``),
    others.length > 0 ? ["Other messages with this code:", "", ...others.map(lineOf)].join("\n") : "",
    row.see.join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Whether the message is this text with its places filled. */
function isSaidIn(sample: string, { cause, remedy }: Text): boolean {
  const words = [cause, ...remedy].flatMap((text) => text.split(/\{\w+\}/));
  return words.every((part) => sample.includes(part.trim()));
}

/** `- *the connection failed (…).* Check …` */
function lineOf({ cause, many, remedy }: Text): string {
  const causes = many === undefined ? cause : `the group ${cause}`;
  return `- *${shown(causes)}.* ${shown(remedy.join(" "))}`;
}

/** A text with typical values in its places, and an ellipsis in the others. */
function shown(template: string): string {
  const known = {
    apiToken: "user-groups:apiToken",
    baseUrl: "user-groups:baseUrl",
    baseUrlSetting: "user-groups:baseUrl",
    clientCertificate: "user-groups:clientCertificate",
    formerBaseUrl: "user-groups:formerBaseUrl",
    headers: "user-groups:headers",
    identity: "user-groups:headers, user-groups:clientCertificate",
    from: 'resource "tenants" of this program',
    group: 'user group "acme"',
    groups: 'user group "acme"',
    requestsPerSecond: "user-groups:requestsPerSecond",
    resource: 'resource "acme" of this program',
    them: "it",
    timeout: "user-groups:timeout",
    mapping: "",
    created: "",
    again: "",
  };
  const filled = fill(template, known).replaceAll(/\{\w+\}/g, "…");
  return filled.replaceAll(/<[a-zA-Z]+>(=<[a-zA-Z]+>)?|__\w+__/g, "`$&`").trim();
}

const acme = { userGroupId: "acme" };
const change = { changed: ["name"], unknown: [], former: undefined, stillValidUntil: [] };

/** Warnings of previews and options. The type requires each code. */
const previews: Readonly<Record<texts.PreviewWarning, string>> = {
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

function sampleOf(of: WarningCode): string {
  const ofRequest = texts.warningNames.find((name) => name === of);
  if (ofRequest !== undefined) return texts.warningOf(ofRequest, [acme], ["name"]);
  const isOfPreview = (each: WarningCode): each is texts.PreviewWarning => each in previews;
  if (isOfPreview(of)) return previews[of];
  throw new Error(`There is no sample of ${of}.`);
}

/** Ports, numbers of attempts and lines of the source differ from run to run. */
function likeTheSample(message: string, { emulator, otherUrl }: Context): string {
  return message
    .replaceAll(closedUrl, "https://analytics.example.com")
    .replaceAll(emulator.baseUrl, "https://analytics.example.com")
    .replaceAll(otherUrl, "https://other.example.com")
    .replaceAll(unresolvable, "nowhere")
    .replace(/, \d+ attempts/, ", 9 attempts")
    .replace(/ at [\w.]+:\d+/, " at client.js:12");
}
