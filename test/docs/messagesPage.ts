/** The page of messages: its sections by code, and their samples. */
import { snippetsOf } from "./pages";

export const messagesPage = "docs/messages.md";

/** The samples of a code: those whose first code it is. Lines may be wrapped anywhere. */
export function samplesOf(code: string): string[] {
  const samples = snippetsOf(messagesPage, "text").map((sample) => sample.replaceAll("\n", " "));
  return samples.filter((sample) => /\[([a-z-]+)\]/.exec(sample)?.[1] === code);
}
