/** A get-or-create of one group, which creates it where it isn't there. Only for those who ask for it. */
import { newClient } from "../../client";
import { UserGroupError } from "../../errors";
import { findSetting, readSettings } from "../../settings";
import { sealed, type StackConfiguration } from "./configuration";
import { failed, ok, type Finding } from "./finding";

export interface Probe {
  readonly userGroupId: string;
  readonly name: string;
}

export async function checkProbe(
  probe: Probe,
  configuration: StackConfiguration,
  connection?: string,
): Promise<Finding> {
  try {
    const isSealed = (["baseUrl", "apiToken"] as const).some(
      (name) => findSetting(name, configuration, connection).value === sealed,
    );
    if (isSealed)
      return failed(
        "probe",
        "The probe needs a setting that is encrypted",
        "For this run give it by the environment.",
      );
    const settings = readSettings(configuration, connection);
    const subject = { operation: "read", userGroupId: probe.userGroupId, connection } as const;
    const { isNew } = await newClient(settings, subject).getOrCreate(probe);
    return ok(
      "probe",
      isNew ? "The service created the group, which stays there" : "The service has the group",
    );
  } catch (error) {
    if (!(error instanceof UserGroupError)) throw error;
    return failed(
      "probe",
      withoutValues(error.message),
      `docs/troubleshooting.md has more on [${error.code}].`,
    );
  }
}

/** An address, ours or another's, isn't shown here. */
function withoutValues(message: string): string {
  return message.replace(/https?:\/\/[^\s,)]+/g, "<address>").replace(/\.? \[[\w-]+\]$/, "");
}
