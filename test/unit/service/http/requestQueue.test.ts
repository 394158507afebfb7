import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { RequestQueue } from "../../../../provider/src/service/http/requestQueue";

const never = new AbortController().signal;

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
    const results = works.map(({ work }) => queue.run(never, work));
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
    const results = [queue.run(never, first.work), queue.run(never, second.work)];
    first.fail(new Error("it failed"));
    await assert.rejects(results[0] ?? Promise.resolve(), /it failed/);
    second.end();
    assert.equal(await results[1], "b");
    assert.equal(await queue.run(never, () => Promise.resolve("c")), "c");
  });

  it("drops a request that is aborted while it waits, and takes no turn from the others", async () => {
    const queue = new RequestQueue(1);
    const started: string[] = [];
    const works = ["a", "b", "c"].map((name) => openWork(started, name));
    const controller = new AbortController();
    const signals = [never, controller.signal, never];
    const results = works.map(({ work }, n) => queue.run(signals[n] ?? never, work));
    const reason = new Error("cancelled");
    controller.abort(reason);
    await assert.rejects(results[1] ?? Promise.resolve(), reason);
    for (const { end } of works) end();
    assert.deepEqual(await Promise.all([results[0], results[2]]), ["a", "c"]);
    assert.deepEqual(started, ["a", "c"]);
    assert.equal(await queue.run(never, () => Promise.resolve("free again")), "free again");
  });

  it("starts nothing for a signal that has aborted, and lets work go on that has begun", async () => {
    const queue = new RequestQueue(1);
    const controller = new AbortController();
    const begun = openWork([], "a");
    const result = queue.run(controller.signal, begun.work);
    controller.abort(new Error("cancelled"));
    begun.end();
    assert.equal(await result, "a");
    await assert.rejects(
      queue.run(controller.signal, () => assert.fail("it was started")),
      /cancelled/,
    );
    assert.equal(await queue.run(never, () => Promise.resolve("free")), "free");
  });
});
