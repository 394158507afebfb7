import type { GroupValues } from "../../provider/src/testing";
import { normalizations } from "../harness/normalizations";
import type { Scope } from "./invariants";
import type { Step } from "./steps";
import { storedOf } from "./declarations";

/** Creates, changes and deletes groups in the service, without the stack. */
export class SomebodyElse {
  constructor(private readonly options: Omit<Scope, "driver">) {}

  /** `isRecorded`: whether the state has the group. */
  take(step: Step, isRecorded: boolean): void {
    if (!("id" in step) || !step.do.endsWith("outside")) return;
    const { emulator, provenance, tokens } = this.options;
    const { id } = step;
    const group = emulator.groups.get(id);
    if (step.do === "create outside" && !group) this.create(id, isRecorded);
    if (step.do === "rename outside" && group) emulator.renameGroup(id, "Renamed");
    if (step.do === "change properties outside" && group)
      this.put({ ...group, properties: { seat: "theirs" } });
    if (step.do === "rotate token outside" && group) emulator.rotateToken(id);
    if (step.do === "delete outside" && group) this.delete(id);
    provenance.noteTouchedOutside(id);
    tokens.note(emulator);
  }

  create(userGroupId: string, isRecorded: boolean, values: Partial<GroupValues> = {}): void {
    this.put({ name: "Theirs", properties: { region: "us" }, ...values, userGroupId });
    this.options.provenance.noteCreatedOutside(userGroupId, isRecorded);
  }

  /** Nothing that the service shows tells it from the one that the program declares. */
  createAsDeclared(userGroupId: string, isRecorded: boolean): void {
    const { choices, emulator, program } = this.options;
    const declared = program.groups.find((group) => group.userGroupId === userGroupId);
    if (!declared || emulator.groups.has(userGroupId)) return;
    const { name, properties } = storedOf(declared.args, choices);
    this.create(userGroupId, isRecorded, { name, properties: { ...properties } });
  }

  delete(userGroupId: string): void {
    this.options.emulator.removeGroup(userGroupId);
    this.options.provenance.noteDeletedOutside(userGroupId);
  }

  /** The service normalizes these values as it does ours. */
  put(values: GroupValues): void {
    const { choices, emulator } = this.options;
    emulator.putGroup(normalizations[choices.normalization](values));
  }
}
