import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { RequestQueue } from "../../../../provider/src/service/http/requestQueue";

/** Work that a test ends, or fails. */
function openWork(started: string[], name: string) {
  const settled = new EventEmitter();
  const result = once(settled, "end").then(() => name);
  const work = () => {
    started.push(name);
    return result;
  };
  return { work, end: () => settled.emit("end"), fail: (error: Error) => settled.emit("error", error) };
}

describe("the queue of requests", () => {
  it("runs as many at a time as its size, and starts the others in their order", async () => {
    const queue = new RequestQueue(2);
    const started: string[] = [];
    const works = ["a", "b", "c", "d"].map((name) => openWork(started, name));
    const results = works.map(({ work }) => queue.run(work));
    await setImmediate();
    assert.deepEqual(started, ["a", "b"]);
    works[1]?.end();
    assert.equal(await results[1], "b");
    await setImmediate();
    assert.deepEqual(started, ["a", "b", "c"]);
    for (const { end } of works) end();
    assert.deepEqual(await Promise.all(results), ["a", "b", "c", "d"]);
    assert.deepEqual(started, ["a", "b", "c", "d"]);
  });

  it("gives the turn of work that fails to the next", async () => {
    const queue = new RequestQueue(1);
    const started: string[] = [];
    const [first, second] = [openWork(started, "a"), openWork(started, "b")];
    const results = [queue.run(first.work), queue.run(second.work)];
    first.fail(new Error("it failed"));
    await assert.rejects(results[0] ?? Promise.resolve(), /it failed/);
    second.end();
    assert.equal(await results[1], "b");
    assert.equal(await queue.run(() => Promise.resolve("c")), "c");
  });
});
