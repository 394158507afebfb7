/** Words in the commands of pages that stand for values of the reader's own, or for an answer, and their values in a test. */
import type { Place } from "./place";
import { sources } from "./sources";

export const gatewayKey = "the-key-of-the-gateway";

export const placeholders: Readonly<Record<string, (place: Place) => string | Promise<string>>> = {
  // Answers to questions that need a terminal. Pulumi's own are answered by PULUMI_SKIP_CONFIRMATIONS.
  "doctor --probe": () => "doctor --probe --yes",
  "--stateless": () => "--stateless --yes",
  // The page's port may be in use. A server that starts again has the same address.
  "pulumi-user-groups emulate": ({ served }) =>
    `pulumi-user-groups emulate --port ${served.startsWith("http:") ? new URL(served).port : 0}`,
  "http://127.0.0.1:4311": ({ served }) => served,
  // Services and their API tokens.
  "https://analytics.example.com": ({ emulator }) => emulator.baseUrl,
  "the-token-of-your-service": ({ emulator }) => emulator.apiToken,
  "<token>": ({ emulator }) => emulator.apiToken,
  "<new-token>": ({ emulator, newToken }) => newToken ?? emulator.apiToken,
  "https://new.example.com": ({ second }) => second.baseUrl,
  "https://eu.example.com": ({ emulator }) => emulator.baseUrl,
  "the-token-of-eu": ({ emulator }) => emulator.apiToken,
  "https://us-east.example.com": ({ second }) => second.baseUrl,
  "the-token-of-us-east": ({ second }) => second.apiToken,
  "<key>": () => gatewayKey,
  "/etc/certs": ({ folder }) => folder,
  // Names of the reader's own.
  "organization/customers/production": () => "organization/tests/dev",
  "<source>": () => "source.json",
  "<urn>": () => "urn:pulumi:dev::tests::pulumi-nodejs:dynamic/user-groups:UserGroups::customers",
  // Addresses of the repository and of its releases.
  "https://git.example.com/pulumi-user-groups/releases/download/v0.1.0": ({ served }) => served,
  "https://git.example.com/pulumi-user-groups.git": () => sources.address(),
  // The database that `npm run database` starts.
  "postgres://customers_reader:password@db.example.com/app?sslmode=verify-full": ({ database }) =>
    database?.url("customers_reader") ?? "",
  "postgres://tokens_rotator:password@db.example.com/app?sslmode=verify-full": ({ database }) =>
    database?.url("tokens_rotator") ?? "",
  "postgres://tokens_writer:password@db.example.com/app?sslmode=verify-full": ({ database }) =>
    database?.url("tokens_writer") ?? "",
  "postgres://worker:password@db.example.com/app?sslmode=verify-full": ({ workerUrl }) => workerUrl,
};
