import assert from "node:assert/strict";
import type { EmulatorOptions } from "../../../provider/src/testing";
import { emulatorTest } from "../../harness/emulatorTest";
import { send } from "./rawRequest";

type Tokens = Record<"current" | "former" | "other", string>;

const acme = { user_group_id: "acme" };
const needsToken: EmulatorOptions = { deleteNeeds: ["current_token"] };
const needsNothing: EmulatorOptions = { deleteNeeds: [] };
const needsSource: EmulatorOptions = { deleteNeeds: ["user_group_id", "data_source_provided_id"] };
const tokenMayBeId: EmulatorOptions = { ...needsToken, deleteTokenMayBeId: true };

/** Without a reason for a refusal, the group is deleted. */
const cases: [title: string, options: EmulatorOptions, body: (tokens: Tokens) => object, refusal?: string][] =
  [
    [
      "deletes the group whose ID and token are sent",
      {},
      ({ current }) => ({ ...acme, current_token: current }),
    ],
    [
      "refuses a group that doesn't exist",
      {},
      ({ current }) => ({ user_group_id: "none", current_token: current }),
      "no such user group",
    ],
    [
      "refuses the token of another group",
      {},
      ({ other }) => ({ ...acme, current_token: other }),
      "current_token does not fit",
    ],
    [
      "refuses a former token",
      {},
      ({ former }) => ({ ...acme, current_token: former }),
      "current_token does not fit",
    ],
    ["needs the token by default", {}, () => acme, "current_token missing"],
    ["needs the ID by default", {}, ({ current }) => ({ current_token: current }), "user_group_id missing"],
    ["can need the token alone", needsToken, ({ current }) => ({ current_token: current })],
    ["can need the ID alone", needsNothing, () => acme],
    [
      "refuses a wrong token that it doesn't need",
      needsNothing,
      () => ({ ...acme, current_token: "x" }),
      "current_token does not fit",
    ],
    ["never deletes without knowing the group", needsNothing, () => ({}), "no such user group"],
    ["can need a data source", needsSource, () => acme, "data_source_provided_id missing"],
    [
      "refuses a data source outside of the group's mapping",
      needsSource,
      () => ({ ...acme, data_source_provided_id: "8" }),
      "data_source_provided_id does not fit",
    ],
    [
      "accepts a data source of the group's mapping",
      needsSource,
      () => ({ ...acme, data_source_provided_id: "7" }),
    ],
    [
      "ignores a data source that it doesn't need",
      {},
      ({ current }) => ({ ...acme, current_token: current, data_source_provided_id: "8" }),
    ],
    ["can accept the ID as the token", tokenMayBeId, () => ({ current_token: "acme" })],
    ["can accept the ID as ID and token", tokenMayBeId, () => ({ ...acme, current_token: "acme" })],
  ];

describe("emulator: delete", () => {
  for (const [title, options, bodyOf, refusal] of cases)
    emulatorTest(title, options, async (emulator) => {
      const former = emulator.putGroup({ userGroupId: "acme", name: "Acme", mapping: { sales: 7 } }).token;
      const other = emulator.putGroup({ userGroupId: "bolt", name: "Bolt" }).token;
      const current = emulator.rotateToken("acme").token;
      const body = bodyOf({ current, former, other });
      const { status, text } = await send(emulator, { method: "DELETE", body });
      assert.deepEqual([status, text], [200, `{"success":${refusal === undefined ? 1 : 0}}`]);
      assert.equal(emulator.requests[0]?.refusal, refusal);
      assert.deepEqual([...emulator.groups.keys()], refusal === undefined ? ["bolt"] : ["acme", "bolt"]);
    });
});
