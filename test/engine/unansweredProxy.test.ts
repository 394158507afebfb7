/** Ctrl-C while a proxy answers nothing. */
import assert from "node:assert/strict";
import { canKill, newFixture, packageProgram, pluginProgram } from "./harness";
import { until } from "../harness/clock";
import { untilClosed, withProxy } from "../harness/proxy";

const text = `new UserGroup("acme", { userGroupId: "acme", name: "Acme" });`;
const programs = { "dynamic provider": packageProgram(text), plugin: pluginProgram(text) };

/** A request that has begun goes on until its time limit. */
for (const name of ["plugin", "dynamic provider"] as const)
  describe(`Ctrl-C while a proxy answers nothing, with the ${name}`, function () {
    before(function () {
      if (!canKill) this.skip();
    });
    const fixture = newFixture(() => ({ program: programs[name], env: { USER_GROUPS_TIMEOUT: "6" } }));

    it("ends the operation within its timeout, and leaves no connection", () =>
      withProxy({ answer: () => undefined }, async (proxy) => {
        const { stack } = fixture;
        let interrupt: () => void = () => undefined;
        const running = stack.up({
          // The SDK would reach the engine through the proxy, too.
          env: {
            https_proxy: proxy.url,
            no_proxy: "127.0.0.1,localhost",
            USER_GROUPS_BASE_URL: "https://service.example",
          },
          started: (given) => (interrupt = given),
        });
        await until(() => proxy.connects.includes("service.example:443"));
        interrupt();
        const { code: exitCode, output } = await running;
        assert.equal(output.match(/\^C received/g)?.length, 1, output);
        assert.match(output, /\[(timed-out|cancelled)\]/);
        assert.notEqual(exitCode, 0);
        await untilClosed(proxy);
        assert.doesNotMatch(JSON.stringify(await stack.resources()), /user-groups:UserGroup/);
      }));
  });
