/** Sentences that follow several texts of the catalogue: what a failed request may have done, and what to do then. */
export const notes = {
  "updated-by-service":
    "If the service updates existing groups, it has the program's values now: run pulumi refresh in the stack that has the group.",
  "creation-of-lost-response":
    "The response to an earlier attempt was lost, so this run may have created the group. Its ID in the service is {id}.",
  "group-may-exist":
    "The group may exist now; the next pulumi up finds it. Run it before you take the change back.",
  "values-may-be-stored":
    "The service may have the new values now; the next pulumi up requests the group again.",
  "group-may-be-gone": "The group may be gone now, so run pulumi refresh before you take the change back.",
  "mapping-may-be-stored": "The service may have the new mapping.",
  "blank-until-delivery":
    "Its dashboards are blank until you deliver the new token; with overlap: true, the former token stays valid meanwhile.",
  "all-blank-until-delivery":
    "Dashboards of groups that are created again are blank until you deliver their new tokens; with overlap: true, the former ones stay valid meanwhile.",

  "sent-in-between": "Something between Pulumi and the service probably sent it.",
  "settings-of-last-up":
    "pulumi refresh and pulumi destroy use the configuration of the last up, so set the variable for them.",

  "state-keeps-group": "The state keeps the group.",
  "state-keeps-former":
    "The customer's current group isn't affected, and the state keeps this former group of overlap.",
  "token-is-current": "Its token is up to date, so the service refuses for another reason.",
  "created-by-another": "The service has it with another token, so it was created again.",
  "possibly-created-by-read":
    "It isn't known whether it was gone: the service has group {id} with another token, and an attempt of get-or-create, the only read, may have created it, because its response was lost.",
  "created-by-read":
    "It was gone already; get-or-create, which shows that, created it again, and its deletion failed.",
  "token-may-be-stale": "Its token may be stale: run pulumi refresh, then run the same command again.",
  "refresh-first": "Run pulumi refresh, then run the same command again.",
  "id-in-service": "Its ID in the service is {id}.",
  "set-data-source":
    "The service may need dataSourceProvidedId: set it, run pulumi up, then run the same command again.",
  "check-data-source": "Check its dataSourceProvidedId.",

  "recreated-perhaps":
    "The group was deleted to be created again, and may exist now. Run the same command again, also before you take the change back.",
  "not-recreated":
    "The group was deleted to be created again, so it doesn't exist now. Run the same command again, or pulumi up with the previous program.",
  "creation-not-confirmed":
    "Group {id} may exist in the service now, and no state has it. Run the same command again: it finds this group. If you make another change instead, {id} may stay in the service.",
  "delete-what-the-read-created": "To delete it, declare it, run pulumi up, and remove it again.",

  "nothing-left": "Nothing was recorded or left there.",
  "nothing-recorded": "Nothing was recorded.",
  "read-may-have-created": "A read may have created {groups} in the account of today's API token.",
  "read-may-have-written":
    "Because user-groups:changes is update, {groups} may have this state's values there now. To prove the account without writing, run pulumi refresh with the previous API token.",
  "created-before": "Before, this command has created or adopted {groups}, which {stay}.",
  "as-warning": "This is a warning because an error can't carry a state of this size.",
} as const;
