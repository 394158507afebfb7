/** Whether a service that allows so many requests a second accepts one more. Refused requests don't count. */
export class RateLimit {
  /** When the last requests were accepted, oldest first. */
  readonly #accepted: number[] = [];

  accepts(requestsPerSecond: number, now: number): boolean {
    if (requestsPerSecond === Infinity) return true;
    const most = Math.max(1, Math.floor(requestsPerSecond));
    const since = now - (most / requestsPerSecond) * 1000;
    while ((this.#accepted[0] ?? Infinity) <= since) this.#accepted.shift();
    if (this.#accepted.length >= most) return false;
    this.#accepted.push(now);
    return true;
  }
}
