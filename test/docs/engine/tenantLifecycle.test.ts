import assert from "node:assert/strict";
import { startEmulator, type Emulator } from "../../../provider/src/testing";
import {
  fails,
  newFixture,
  requestsTo,
  succeeds,
  tokensOf,
  warningsOf,
  type Fixture,
} from "../../engine/harness";
import { pageAt } from "../pages";
import { assertPrinted } from "./printed";
import { programOf, snippetOf } from "./pagePrograms";

const page = "docs/runbooks.md";
const others = ["acme", "globex"];

describe("docs/runbooks.md", () => {
  let eu: Emulator;
  before("the service of another region", async () => {
    eu = await startEmulator();
  });
  after("its end", () => eu.stop());
  const inTwoRegions = (program: Readonly<Record<string, string>>): Fixture =>
    newFixture(() => ({
      program,
      env: { USER_GROUPS_EU_BASE_URL: eu.baseUrl, USER_GROUPS_EU_API_TOKEN: eu.apiToken },
      services: [eu],
    }));

  describe("the events of its table", () => {
    const fixture = inTwoRegions(programOf(page));
    let tokens: Readonly<Record<string, string>>;
    before("the first tenants", async () => {
      succeeds(await fixture.stack.up());
      tokens = tokensOf(fixture.emulator);
    });

    for (const [event = "", entry = "", requests = "", token = ""] of pageAt(page).tables[0] ?? [])
      it(`${event}: sends the requests that the page shows, and the token is ${token}`, async () => {
        const former = tokenOfInitech();
        for (const service of [fixture.emulator, eu]) service.clearRequests();
        await fixture.stack.program(programWith(spansOf(entry).join()));
        succeeds(await fixture.stack.up());
        assert.deepEqual(requestsInOrder(), spansOf(requests));
        assert.equal(tokenOfInitech() === undefined, token === "gone");
        assert.notEqual(tokenOfInitech(), former);
        const stored = { ...tokensOf(eu), ...tokensOf(fixture.emulator) };
        assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: stored });
        for (const id of others) assert.equal(stored[id], tokens[id]);
      });

    it("shows what the preview of a rename prints", async () => {
      await fixture.stack.program(programOf(page, ['name: "Globex"', 'name: "Globex International"']));
      assertPrinted(succeeds(await fixture.stack.preview()), snippetOf(page, "text"));
    });

    const tokenOfInitech = () => (fixture.emulator.groups.get("initech") ?? eu.groups.get("initech"))?.token;
    const requestsInOrder = () =>
      [...fixture.emulator.requests, ...eu.requests]
        .sort((one, other) => one.receivedAt - other.receivedAt)
        .map(String);
  });

  describe("two groups for a while", () => {
    const fixture = inTwoRegions({ ...programOf(page), "index.ts": snippetOf(page, "ts", 1) });

    it("have two tokens, and the first group alone is deleted", async () => {
      eu.clearRequests();
      succeeds(await fixture.stack.up());
      const [former, next] = [fixture.emulator, eu].map((service) => service.groups.get("globex")?.token);
      assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: { former, next } });
      await fixture.stack.program({ "index.ts": withoutFormer(snippetOf(page, "ts", 1)) });
      succeeds(await fixture.stack.up());
      assert.deepEqual([...fixture.emulator.groups.keys()], []);
      assert.equal(eu.groups.get("globex")?.token, next);
      assert.deepEqual(requestsTo(eu, "globex"), ['GET "globex" created 200']);
    });
  });

  describe("the runbook for a leaked API token", () => {
    const fixture = newFixture(() => ({ program: programOf(page) }));
    let leaked: string;
    let tokens: Readonly<Record<string, string>>;
    before("a leak, and a new API token", async () => {
      succeeds(await fixture.stack.up());
      tokens = tokensOf(fixture.emulator);
      leaked = fixture.emulator.apiToken;
      fixture.emulator.rotateApiToken();
      for (const id of others) fixture.emulator.removeGroup(id);
      const mapping = { sales: "acme-warehouse" };
      fixture.emulator.putGroup({ userGroupId: "globex", name: "Globex", mapping });
      fixture.emulator.clearRequests();
    });
    const withLeaked = () => ({ env: { USER_GROUPS_API_TOKEN: leaked } });

    it("is right that an up without changes doesn't show a wrong token, and that a refresh does", async () => {
      succeeds(await fixture.stack.up(withLeaked()));
      assert.deepEqual(requestsTo(fixture.emulator), []);
      fails(await fixture.stack.refresh(withLeaked()), /\[unauthorized\]/);
    });

    it("creates groups again that somebody deleted, and names them", async () => {
      const refresh = succeeds(await fixture.stack.refresh());
      assert.match(
        warningsOf(refresh).join("\n"),
        /"acme" didn't exist in the service\. It was created again/,
      );
      assert(fixture.emulator.groups.has("acme"));
    });

    it("gives all groups new tokens, and the mappings of the program", async () => {
      const recreated = tokensOf(fixture.emulator);
      await fixture.stack.program(
        programOf(page, ["...customer })", '...customer, keepers: { rotated: "1" } })']),
      );
      succeeds(await fixture.stack.up());
      const today = tokensOf(fixture.emulator);
      for (const id of others) assert(![recreated[id], tokens[id]].includes(today[id]));
      assert.deepEqual(await fixture.stack.plainOutputs(), { tokens: today });
      const mappings = others.map((id) => fixture.emulator.groups.get(id)?.mapping);
      assert.deepEqual(mappings, [{ sales: "acme-warehouse" }, { sales: "globex-warehouse" }]);
    });
  });
});

/** The page's program with one tenant more. */
function programWith(entry: string): Record<string, string> {
  return programOf(page, ["  acme:", `  ${entry === "" ? "" : `${entry}, `}acme:`]);
}

function withoutFormer(program: string): string {
  return program.replace(/^const former.*\n/m, "").replace("former: former.token, ", "");
}

/** What stands between backquotes in a cell. */
function spansOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
}
