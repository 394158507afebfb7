// `pulumi preview --json | node ci/waiting.mjs`: fails if anything changes but former groups whose time is over, which the next `up` deletes.
import { text } from "node:stream/consumers";

const { steps, diagnostics } = JSON.parse(await text(process.stdin));
const changes = (steps ?? []).filter(({ op }) => op !== "same");
const former = /\[former-group-deleted\]|change: \d+ to lose former groups \([^)]*\)\. \[planned-changes\]/;
const waiting = (diagnostics ?? []).filter(({ message }) => former.test(message));
for (const { message } of waiting) console.log(`Waiting for the next up: ${message.trim()}`);
process.exitCode = changes.length > waiting.length || changes.some(({ op }) => op !== "update") ? 1 : 0;
