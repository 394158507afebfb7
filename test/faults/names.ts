import dns from "node:dns";

/** Host names that aren't there, or that no name server answers for, without asking the network of the machine. */
export function serveNames(): void {
  const { lookup } = dns;
  const served = (hostname: string, ...rest: readonly unknown[]): void => {
    const code = codes.get(hostname);
    const answer = rest.at(-1);
    if (code === undefined || typeof answer !== "function") Reflect.apply(lookup, dns, [hostname, ...rest]);
    else
      process.nextTick(
        () => void Reflect.apply(answer, undefined, [Object.assign(new Error(code), { code })]),
      );
  };
  before("name service", () => Reflect.set(dns, "lookup", served));
  after("the usual name service", () => Reflect.set(dns, "lookup", lookup));
}

const codes = new Map([
  ["nowhere.test", "ENOTFOUND"],
  ["lost.test", "EAI_AGAIN"],
]);
