/** The sentence of each kind of warning, for any number of groups, which follow after a colon. */
export const warnings = {
  adopted:
    "Groups existed before and are adopted with their tokens. The service never returns a mapping, so the mappings can't " +
    "be verified. To be sure of a mapping, change keepers, which recreates the group and replaces its token",
  "adopted with other values":
    "Groups have another name or other properties in the service than in the program. The next preview shows the " +
    "differences",
  "stored with other values":
    "The service stores groups with another name or other properties than were sent. The state stores both, and this isn't " +
    "drift",
  "possibly created":
    "Groups were possibly created by attempts whose responses were lost. If they existed before, the service may have other " +
    "mappings",
  "created again": "Groups didn't exist in the service. They were created again, with new tokens",
  recreated:
    "Groups existed, and this stack's state has another token or other values for them. They were deleted and created " +
    "again, with new tokens",
  "recreated after a lookup":
    "Lookups of this program created groups with other values than the program declares. They were deleted and created " +
    "again, so the lookups have outdated tokens until the next pulumi up",
  "token changed":
    "Groups have other tokens than the state, so somebody else created them, or an interrupted update did. The new tokens are " +
    "stored, and the groups count as adopted. Their mappings can't be verified",
  "mapping not verified":
    "Groups were updated with new mappings. The service never returns a mapping, so the updates can't be verified",
  kept:
    "Groups are kept with their tokens, because other resources of this program have them. For a renamed resource, an alias " +
    "avoids this warning",
  "kept for lookups":
    "Groups are kept in the service, because lookups of this program read them. No resource manages them any more, so pulumi " +
    "destroy doesn't delete them",
  "kept with an unknown mapping":
    "Groups are kept with their tokens, because other resources of this program have them. The states differ in mapping or " +
    "keepers, and neither can prove its own. To be sure of a mapping, change keepers, which recreates the group and replaces " +
    "its token",
  "not released":
    "Groups stay in this state until the resources that declare them have got them from the service. The next pulumi up " +
    "removes them from this state",
} as const satisfies Record<string, string>;

export type Warning = keyof typeof warnings;
