/** A proxy on the way to the service that opens no tunnel, or one to a service without a trusted certificate. */
import { answerWith, endless, openTunnel, withProxy, type Answer } from "../harness/proxy";

/** Whoever takes it for a response of the service stores the token of a stranger, or loses a group that still exists. */
const forged = (success: number) =>
  JSON.stringify({
    success,
    new_user_group: true,
    user_group: { token: "forged", name: " Acme ", provided_id: "acme", properties: { seat: "front row" } },
  });

/** What the proxy does instead. */
export const proxyAnswers: Readonly<Record<string, Answer>> = {
  "answers 200 with a response of its own": answerWith("200 OK", forged(1)),
  "answers 201 with a response of its own": answerWith("201 Created", forged(1)),
  "answers 299 with a response of its own": answerWith("299 Own", forged(1)),
  "answers 502 with `success` 0": answerWith("502 Bad Gateway", forged(0)),
  "answers nothing": () => undefined,
  "sends headers without end": endless("HTTP/1.1 200 OK\r\n", `x: ${"a".repeat(1000)}\r\n`),
};

const names = Object.keys(proxyAnswers);

/** An address that the proxy answers so. */
export function urlThrough(name: string): string {
  return `https://answer-${names.indexOf(name)}.example`;
}

/** Runs `use` with the proxy in the environment, from which the product reads it, and with the check of certificates turned off. */
export async function withHostileProxy(untrustedUrl: string, use: () => Promise<void>): Promise<void> {
  const untrusted = new URL(untrustedUrl).host;
  const answer: Answer = (client, target) => {
    const index = /^answer-(\d+)\./.exec(target)?.[1];
    const own = proxyAnswers[names[Number(index)] ?? ""];
    if (own) own(client, target);
    else openTunnel(client, untrusted);
  };
  await withProxy({ answer }, async ({ url }) => {
    const settings = { https_proxy: url, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const former = Object.keys(settings).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, settings);
    try {
      await use();
    } finally {
      for (const [name, value] of former) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
  });
}
