/**
 * Every error and warning: code → what is said (cause and remedy), what it means, and what else to know. The texts of the product, the types
 * of the codes, and the page docs/messages.md come from this table. A place in a text, `{resource}`, is filled where the message is made.
 * Sentences that follow several texts are in notes.ts.
 */

export interface Text {
  /** Of an error about a group, it follows `Cannot create user group "acme": `; of a warning, the name of one group. */
  readonly cause: string;
  /** Only warnings: the cause of several groups. It follows their number. */
  readonly many?: string;
  /** Sentences: what was done, and what to do next. */
  readonly remedy: readonly string[];
}

export interface Row {
  readonly kind: "error" | "warning";
  /** A few words, in Markdown, for the list of the page. */
  readonly meaning: string;
  /** By a name that no other row uses. */
  readonly texts: Readonly<Record<string, Text>>;
  /** Sentences and lists of the page, in Markdown, a line each: what else to know, with links. */
  readonly see: readonly string[];
}

const checkMapping =
  "A mapping can't be verified. To be sure of it, change keepers, which gives a group a new token.";

/** The order of delivery, as the pages say it. */
const deliver = "Deliver the tokens before each up, and again after it, even if it failed.";

const untrusted = "no trusted TLS connection was possible ({seen})";
const endedHandshake = "the other side ended the TLS handshake ({seen})";
const noTunnelVariable = "the variable {seen}";
const checkNetwork = "Check {baseUrl}, the network and any proxy, then run the same command again.";
const setProxy = "Set https_proxy to the URL of an http proxy, or add the host of the service to no_proxy.";
const aboveLimit = "This change would delete {groups}{again}, and deletionLimit allows {limit}";
const refused = "the service refused (success 0)";
const inBetween =
  "Something between Pulumi and the service probably sent it, such as a firewall or a CDN. It may refuse a {method} with a body, which the service requires, or demand a header or a client certificate: {identity}.";
const allFailed = "Cannot {operation} all user groups: {failures}";
const keptAsItIs = "The group was not deleted, and the state keeps it.";
const asTheStateHasIt =
  "First declare the customer there as the state has the group: with the same values, and with overlap only if its output providedId isn't the userGroupId. Then change it by another pulumi up.";
const moreSlowly = "Set {requestsPerSecond} to what the service allows, then run the same command again.";
const noRequest = "No request was sent.";

const errors = {
  "adoption-refused": {
    kind: "error",
    meaning: "a group with `adopt: false` exists",
    texts: {
      "exists-already": {
        cause: "it exists, and adopt is false",
        remedy: [
          "Nothing was recorded.",
          "If the group is yours (an interrupted run created it, or another resource had it), set adopt: true for one pulumi up, give a renamed resource an alias, or import it (npx --no pulumi-user-groups import-file).",
          "Otherwise choose another userGroupId.",
        ],
      },
    },
    see: [],
  },
  "argument-invalid": {
    kind: "error",
    meaning: "the program passes a wrong value",
    texts: {
      argument: { cause: "The argument {path} {reason}", remedy: [] },
      "resource-name": {
        cause: "The name of the resource {issue}",
        remedy: ["Use a text that is known when the program runs."],
      },
      "provider-of-plugin": {
        cause: "Resource {name} is given a provider of the plugin, which only the plugin's resources use",
        remedy: ['Import the class from "pulumi-user-groups/plugin".'],
      },
      "lookup-without-name": {
        cause: "Cannot look up {group}: its name is missing, or a preview doesn't know it yet",
        remedy: [
          "The service can't read a group without its name.",
          "Pass a name that the preview knows; without a program, use the ID <userGroupId>=<name>, such as 'acme=Acme'.",
        ],
      },
      "import-with-proto": {
        cause: "Cannot read the user group: mapping and properties of the ID can't have the key __proto__",
        remedy: [],
      },
      "import-without-name": {
        cause:
          "Cannot read {group}: the ID must be <userGroupId>=<name>, such as 'acme=Acme', because the service can't read a group without its name",
        remedy: [
          "JSON is possible as well: {json}, with mapping, properties and dataSourceProvidedId if you know them.",
        ],
      },
      "import-of-many": {
        cause: "UserGroups can't be imported or looked up",
        remedy: ["Declare it with its groups, and it adopts the existing ones."],
      },
      "import-of-derived": {
        cause: "Cannot import {group}: overlap gives such an ID to a group of another customer",
        remedy: ["Import that customer's group with npx --no pulumi-user-groups import-file."],
      },
    },
    see: [
      "A preview reports most wrong values by property, without this code and without the value: `property name must be a string`.",
      "",
      "- A `userGroupId` must not end in `~` and eight hexadecimal digits, because [`overlap`](changes.md#without-blank-dashboards) gives such an ID to a group of another customer.",
      "- A dynamic resource can't have [a provider of the plugin](plugin.md#explicit-providers).",
      "- A template literal can't contain an output. Write `` pulumi.interpolate`cust-${id}` ``.",
    ],
  },
  cancelled: {
    kind: "error",
    meaning: "the run was cancelled before this request",
    texts: {
      "operation-cancelled": {
        cause: "Cannot continue: the operation was cancelled",
        remedy: ["Run the same command again."],
      },
      "request-cancelled": {
        cause: "the operation was cancelled",
        remedy: ["Run the same command again to do the rest."],
      },
    },
    see: [
      "A `UserGroups` says how many of its groups were not tried. Requests that had begun were finished, and the state has their results.",
      "",
      "Only [the plugin](plugin.md) learns of a Ctrl-C. With dynamic resources, the resource that is under way is finished and stored, a `UserGroups` with all of its groups. A second Ctrl-C ends both forms at once: continue [as after a kill](runbooks.md#interruptions).",
    ],
  },
  "certificate-untrusted": {
    kind: "error",
    meaning: "no trusted TLS connection",
    texts: {
      issuer: {
        cause: untrusted,
        remedy: ["Check {baseUrl}.", "For your own certificate authority, set NODE_EXTRA_CA_CERTS."],
      },
      "certificate-host": {
        cause: untrusted,
        remedy: ["Check {baseUrl}: the certificate is for another host."],
      },
      "certificate-time": {
        cause: untrusted,
        remedy: ["Let the service renew its certificate, or correct the clock of this machine."],
      },
      certificate: { cause: untrusted, remedy: ["Check {baseUrl}, and the certificate of the service."] },
      "client-certificate": {
        cause: endedHandshake,
        remedy: ["Check {clientCertificate}: the service may demand one, or not accept this one."],
      },
      handshake: {
        cause: endedHandshake,
        remedy: [
          "Check {clientCertificate}, which the service may demand, and the TLS ciphers that the service accepts.",
        ],
      },
    },
    see: [
      "The certificate may come from an authority that Node.js doesn't know, such as that of a proxy that inspects TLS.",
      "No setting disables the check.",
      "If the other side ended the handshake, it may demand a [client certificate](reference.md#behind-a-gateway).",
    ],
  },
  "connection-failed": {
    kind: "error",
    meaning: "no connection, or it broke, in every attempt",
    texts: {
      broken: {
        cause: "the connection failed ({seen})",
        remedy: [checkNetwork],
      },
      "cut-off": {
        cause: "the response was cut off",
        remedy: [checkNetwork],
      },
      "no-tunnel": {
        cause: "the proxy opened no tunnel ({seen})",
        remedy: [checkNetwork],
      },
      "tunnel-refused": {
        cause: "the proxy opened no tunnel, but answered with status {seen}",
        remedy: [checkNetwork],
      },
      "socks-proxy": {
        cause: `${noTunnelVariable} has a SOCKS proxy, which isn't supported`,
        remedy: [setProxy],
      },
      "no-proxy-url": {
        cause: `${noTunnelVariable} has no http or https URL of a proxy`,
        remedy: [setProxy],
      },
      "no-tls": {
        cause: "the other side doesn't speak TLS at this port ({seen})",
        remedy: ["Check {baseUrl}: its scheme and its port."],
      },
      "tls-version": {
        cause: "the other side speaks no TLS version that Node.js accepts ({seen})",
        remedy: ["Let the service accept TLS 1.2 or 1.3."],
      },
      tls: {
        cause: "the TLS handshake failed ({seen})",
        remedy: ["Check {baseUrl}, and everything between Pulumi and the service."],
      },
    },
    see: [
      "The variables [`https_proxy` and `no_proxy`](reference.md#behind-a-gateway) apply to https.",
      "If a proxy opened no tunnel, correct its address, its credentials or its rules.",
    ],
  },
  "declared-twice": {
    kind: "error",
    meaning: "two resources have the same group",
    texts: {
      "declared-by-two": {
        cause: "{groups}: {resource} declares {them}, too",
        remedy: [
          "Both resources would have one token, and one mapping would be wrong.",
          "Declare a group once, and read it elsewhere by UserGroup.get.",
        ],
      },
    },
    see: ["To [move a group](moves.md), remove it from its previous resource in the same change."],
  },
  "deletion-limit": {
    kind: "error",
    meaning: "more deletions than `deletionLimit`",
    texts: {
      "limit-of-change": {
        cause: aboveLimit,
        remedy: ["Nothing was changed.", "If you intend the change, raise deletionLimit."],
      },
      "limit-of-departure": {
        cause: aboveLimit,
        remedy: [
          "Nothing was changed.",
          'If groups move to another resource, set removed: "retain" here for one pulumi up.',
          "Otherwise, if you intend the change, raise deletionLimit.",
        ],
      },
      "limit-of-replacement": {
        cause: aboveLimit,
        remedy: [
          "No group was deleted.",
          "If you intend the change, raise deletionLimit, then run pulumi up.",
        ],
      },
      "limit-of-state": {
        cause:
          "The deletion of this resource would delete {groups}{again}, and deletionLimit in its state allows {limit}",
        remedy: [
          "No group was deleted.",
          "To delete the groups, first raise or drop deletionLimit by a pulumi up with the resource in the program, then run the same command again.",
          "If the program is lost, pulumi state delete <urn> removes the resource, and the groups stay.",
        ],
      },
    },
    see: [
      "The list of customers may be truncated, or that of another stack.",
      "See [what counts](guards.md).",
    ],
  },
  "groups-too-large": {
    kind: "error",
    meaning: "a `UserGroups` is too large",
    texts: {
      "groups-too-large-inputs": {
        cause: "is too large: its state would have {size} MiB",
        remedy: [
          "Above {most} MiB, a partial failure could lose the state.",
          "Divide the groups among several UserGroups.",
        ],
      },
      "groups-too-large-former": {
        cause:
          "These user groups are too large with their {count} former groups: their state would have {size} MiB",
        remedy: [
          "Above {most} MiB, a partial failure could lose the state.",
          "Divide the groups among several UserGroups, or change fewer of them within overlapHours.",
        ],
      },
    },
    see: ["See [limits](scale.md#limits)."],
  },
  "guard-dropped": {
    kind: "error",
    meaning: "the program leaves out a guard of the state",
    texts: {
      "guard-left-out": {
        cause: "Cannot update: the state has {guards}, and the program doesn't set {them}",
        remedy: [
          "Perhaps its branch is older than the guard. Nothing was changed.",
          "To keep {them}, set {guards} in the program, too. To drop {them}, run a pulumi up that changes nothing else.",
        ],
      },
    },
    see: [
      '[This holds for](guards.md#no-guard-is-lost-by-omission) `deletionLimit`, `removed: "retain"` and `overlap: true`.',
      'After [a move](moves.md), set `removed: "delete"`.',
    ],
  },
  "host-not-found": {
    kind: "error",
    meaning: "no name server knows the host",
    texts: {
      "host-not-found": { cause: "the host was not found (ENOTFOUND)", remedy: ["Check {baseUrl}."] },
    },
    see: [],
  },
  "mapping-conflict": {
    kind: "error",
    meaning: "a group moves and changes at once",
    texts: {
      "has-other-mapping": {
        cause: "{resource} has it with a different mapping or other keepers, so one of both states is wrong",
        remedy: [
          keptAsItIs,
          "To end this, change keepers there, which gives the group the program's mapping and a new token.",
          "Or, if the mapping there is right and this whole resource leaves the program, remove it from the state by pulumi state delete and its URN: the group stays in the service.",
        ],
      },
      "declares-other-mapping": {
        cause:
          "{resource} declares it with another mapping or other keepers, or would request another ID in the service (overlap)",
        remedy: [keptAsItIs, asTheStateHasIt],
      },
      "leaves-for-other-mapping": {
        cause:
          "{groups}: {from} leaves {them} in the service, and {resource} declares {them} with another mapping or other keepers, or would request another ID in the service (overlap)",
        remedy: ["An adopted group keeps its mapping.", asTheStateHasIt],
      },
    },
    see: [
      'A message may name "the replacement of resource …": this is the same resource, which the option `import`, `--replace` or `state taint` has replaced.',
      "",
      "Change a group before or after [its move](moves.md), by another `up`.",
      "",
      'If a `UserGroups` leaves groups in the service for another resource (`removed: "retain"`), the preview already fails. Then the other resource has another mapping or other keepers, or would request another ID: the group has a plain ID, and the resource has `overlap`, or the other way round.',
    ],
  },
  "move-unconfirmed": {
    kind: "error",
    meaning: "a group or its token may still be needed",
    texts: {
      "not-got-yet": {
        cause: "{resource} declares it, but hasn't got it from the service",
        remedy: [keptAsItIs, "Correct the error of that resource, then run the same command again."],
      },
      "got-another-group": {
        cause:
          "{resource} has got another group of this customer in the same update, and applications still have the token of this one",
        remedy: [
          keptAsItIs,
          "Deliver the new token from the stack's outputs, then run pulumi up: it deletes this group.",
        ],
      },
      "got-another-token": {
        cause: "{resource} has it with another token, so one of both states is out of date",
        remedy: [keptAsItIs, "Run pulumi refresh, then run the same command again."],
      },
      "in-its-time": {
        cause:
          "{resource} declares the customer, and a former group stays until {until}, because applications may still have its token",
        remedy: [
          keptAsItIs,
          "Run pulumi up after that time. To end it now, deliver the current token, then set overlapHours: 0 there and run pulumi up.",
          "If a resource was renamed, the renaming can be taken back.",
        ],
      },
      "deleted-first": {
        cause:
          "overlap is true, and an option would delete it before another group of the customer is created",
        remedy: [keptAsItIs, "Leave out deleteBeforeReplace, or give the customer a new token by keepers."],
      },
    },
    see: [],
  },
  "no-such-group": {
    kind: "error",
    meaning: "a lookup or an import finds nothing",
    texts: {
      "read-created": {
        cause: "it doesn't exist (get-or-create, the service's only read, created it, and {result})",
        remedy: [
          "Check the ID: a group with overlap has another one (its output providedId), and is better read by a stack reference.",
          "To create the group, declare it; a lookup of a group of the same program needs dependsOn.",
        ],
      },
      "read-possibly-created": {
        cause:
          "it isn't known whether it existed before: an attempt of this lookup whose response was lost may have created it",
        remedy: [
          "If it is yours, run the same command again, which finds it. Otherwise delete it in the service.",
        ],
      },
    },
    see: [],
  },
  "not-found": {
    kind: "error",
    meaning: "a server answers, but not the service",
    texts: {
      "address-not-found": {
        cause: "nothing was found at this address",
        remedy: ["Check {baseUrl}: it is the address without /api/user."],
      },
    },
    see: [],
  },
  "nothing-found": {
    kind: "error",
    meaning: "the account has none of the groups that were read",
    texts: {
      "not-as-in-state": {
        cause:
          "Cannot {subject}: the service doesn't have {groups} as in the state, so the API token probably belongs to another account",
        remedy: [
          "{left} Check the API token and the address, then run the same command again.",
          "If this is the right account and its groups are gone, run pulumi state delete <urn> for each resource, then pulumi up.",
        ],
      },
    },
    see: [
      "This check runs [if the API token has changed, or after an import](accounts.md#how-another-account-is-noticed). Without it, a refresh would create every group in the other account.",
      "The package has read up to three groups, drawn at random. So if somebody has deleted a few groups, run the same command again: it may draw another one.",
      "If only one resource still fails after a refresh with a new API token, its group is gone: remove the resource by `pulumi state delete`.",
    ],
  },
  "package-not-found": {
    kind: "error",
    meaning: "the program lacks the package",
    texts: {
      "no-package": {
        cause:
          "The package pulumi-user-groups can't be found from the program's folder, where the engine loads it",
        remedy: [
          "Make it a direct dependency of the program, with the same npm install in the program's folder.",
        ],
      },
    },
    see: [],
  },
  "partial-failure": {
    kind: "error",
    meaning: "some groups failed, others didn't",
    texts: {
      "failed-in-part": {
        cause: allFailed,
        remedy: ["The state has every completed change. Run pulumi up again to do the rest."],
      },
      "read-in-part": {
        cause: allFailed,
        remedy: [
          "They keep their state, and what was read of the others is stored. Run pulumi refresh again.",
        ],
      },
      "deleted-in-part": {
        cause: allFailed,
        remedy: [
          "The state still has every group, including the deleted ones.",
          "Run the same command again to delete the rest, or run pulumi refresh to create the deleted groups again, with new tokens. pulumi up alone sees no difference.",
        ],
      },
      "failed-without-record": {
        cause: allFailed,
        remedy: ["Nothing was recorded. Resolve the errors, then run the same command again."],
      },
    },
    see: [
      "The other messages are those of a refresh, of a deletion, and of an operation that recorded nothing.",
      "Each cause is named once.",
      "After 20 failures of the service in a row, or a first round (`maxConnections` groups) without a success, the other groups aren't tried.",
      "A refresh prints the error as a warning, unless all groups have failed.",
      "After a failed `up`, the state is marked as incomplete. So, until the next `up`, each preview shows an update, even after you have restored the previous program.",
      "After a failed `pulumi destroy`, the state still has every group.",
    ],
  },
  "plugin-not-found": {
    kind: "error",
    meaning: "`Pulumi.yaml` lacks the plugin",
    texts: {
      "no-plugin": {
        cause:
          "The engine can't find the plugin user-groups. Add these lines to Pulumi.yaml:\n\nplugins:\n  providers:\n    - name: user-groups\n      path: {path}\n\n",
        remedy: [],
      },
    },
    see: [],
  },
  redirected: {
    kind: "error",
    meaning: "the address redirects",
    texts: {
      "redirects-elsewhere": {
        cause: "the service redirected to {target}, and redirects are not followed",
        remedy: ["Set {baseUrl} to the service's own address."],
      },
    },
    see: [],
  },
  "removed-elsewhere": {
    kind: "error",
    meaning: "a `UserGroups` would delete a group that moves",
    texts: {
      "removes-what-another-declares": {
        cause: "{groups}: {from} removes {them}, and {resource} declares {them}",
        remedy: [
          "A deletion would take away the token.",
          'To keep it, set removed: "retain" in {from} for this pulumi up: it leaves {them} in the service, and the other resource adopts {them}.',
        ],
      },
      "another-declares": {
        cause: "{resource} declares it, too",
        remedy: [
          keptAsItIs,
          'To keep its token, set removed: "retain" in this UserGroups for one pulumi up: it leaves the group in the service, and the other resource adopts it.',
        ],
      },
    },
    see: [
      "A `UserGroups` never deletes a customer whom another resource declares ([one exception](guards.md#what-isnt-promised)).",
      "With `--skip-preview`, the other resource [may have adopted the group](moves.md#after-a-refused-move) already.",
      'After [the move](moves.md), set `removed: "delete"` in the next change.',
    ],
  },
  "replacement-retained": {
    kind: "error",
    meaning: "a replacement didn't delete the group",
    texts: {
      "deletion-skipped": {
        cause:
          "it was to be deleted first, but the service still has it with the token in the state, because an option skipped the deletion (retainOnDelete, or deleteBeforeReplace: false) or the service didn't do it",
        remedy: [
          "The state keeps the group.",
          "If an option skipped it, remove the option by a pulumi up with the previous values, then run the same command again.",
        ],
      },
    },
    see: ["That `up` requests the group once more; its token stays, and it counts as adopted."],
  },
  "response-invalid": {
    kind: "error",
    meaning: "the response isn't the service's",
    texts: {
      "invalid-response": {
        cause: "the {what}",
        remedy: ["Check that {baseUrl} is the address of the service's API. Nothing was recorded."],
      },
      "headers-too-large": {
        cause: "the response has larger headers than Node.js reads ({seen})",
        remedy: [
          "Set NODE_OPTIONS=--max-http-header-size=65536, or let the service send smaller headers, then run the same command again.",
        ],
      },
      "not-http": {
        cause: "the response isn't valid HTTP ({seen})",
        remedy: ["Check {baseUrl}, and everything between Pulumi and the service."],
      },
      "too-large": {
        cause: "the response was larger than 1 MiB",
        remedy: ["Check {baseUrl}: the service's own responses are small."],
      },
    },
    see: [
      "Usually another server sent it, such as a login page, or the path is wrong.",
      "If the [probe](command-line.md#probe) finds the address right, report the response to the service's operator.",
    ],
  },
  "service-changed": {
    kind: "error",
    meaning: "the state belongs to another address",
    texts: {
      "other-address": {
        cause:
          "Cannot {subject}: the state belongs to the service at {before}, but {baseUrlSetting} is {baseUrl}",
        remedy: [
          `${noRequest} Set the address to {before}.`,
          "If the service has moved, set {formerBaseUrl} to {before} until every stack is updated.",
        ],
      },
    },
    see: ["A group [can't move to another service](plugin.md#move-customers-to-another-service)."],
  },
  "service-refused": {
    kind: "error",
    meaning: "the service answered `success` 0",
    texts: {
      "service-refused": { cause: refused, remedy: ["Check the group's ID, name, mapping and properties."] },
      "deletion-refused": {
        cause: refused,
        remedy: ["Its token may be stale: run pulumi refresh, then run the same command again."],
      },
      "rate-limit-refused": { cause: "the service limits requests", remedy: [moreSlowly] },
    },
    see: [],
  },
  "setting-conflict": {
    kind: "error",
    meaning: "an argument contradicts `changes`",
    texts: {
      "adopt-with-update": {
        cause:
          "adopt is false and user-groups:changes is update, so get-or-create would change an existing group instead of only finding it",
        remedy: [noRequest, "Set adopt to true, or set user-groups:changes to replace."],
      },
      "lookup-with-update": {
        cause:
          "user-groups:changes is update, so get-or-create, the service's only read, would store the lookup's values in the group",
        remedy: [
          noRequest,
          "Read the token by a StackReference, or if a resource of this program has the group, let the lookup depend on it (dependsOn).",
        ],
      },
      "import-with-update": {
        cause:
          "user-groups:changes is update, and an import without mapping and properties would clear them in the service",
        remedy: [
          noRequest,
          "Pass mapping and properties (an empty object for none), or set user-groups:changes to replace.",
        ],
      },
      "update-with-replace": {
        cause: "user-groups:changes is replace, and the planned change is an update",
        remedy: [noRequest, "Run the same command again to plan a replacement."],
      },
      "configured-again": {
        cause: "Cannot configure the plugin again: its process belongs to one provider of one deployment",
        remedy: ["Nothing was changed."],
      },
      "configured-otherwise": {
        cause:
          "Cannot configure the plugin again: PULUMI_DEBUG_PROVIDERS attaches all providers of the program to this process, and another one has other settings",
        remedy: ["Debug a program with one provider. Nothing was changed."],
      },
    },
    see: [
      "See [updates in place](changes.md#updates-in-place).",
      '"Its process belongs to one provider of one deployment" means that [another program of the machine](security.md#local-users) has tried to replace the plugin\'s settings.',
    ],
  },
  "setting-invalid": {
    kind: "error",
    meaning: "a setting has a wrong value",
    texts: {
      setting: { cause: "The setting {setting} {reason}", remedy: [] },
      "inexact-token": {
        cause: "The setting {setting} is a number that JSON can't carry exactly: pass it as a string",
        remedy: [],
      },
      "reserved-name": {
        cause:
          'The name of a provider must not end in "former", because its variables would be those of formerBaseUrl of another provider',
        remedy: [],
      },
    },
    see: [
      "The value isn't shown, because it may be a secret.",
      "[Doctor](command-line.md#doctor) shows where it comes from: the environment takes precedence.",
    ],
  },
  "setting-missing": {
    kind: "error",
    meaning: "a setting isn't set",
    texts: {
      "missing-setting": {
        cause: "The setting {setting} is missing",
        remedy: ["{ways} The provider doesn't see what the program sets (dotenv): it is another process."],
      },
    },
    see: [
      "Previews need neither address nor API token, [except for two features of the plugin](plugin.md#what-differs).",
    ],
  },
  "state-invalid": {
    kind: "error",
    meaning: "the state can't be read",
    texts: {
      "invalid-state": {
        cause: "The state of {subject} is invalid: its {path} {reason}",
        remedy: [
          "Import an earlier export of the state (pulumi stack import); or remove the resource from the state (pulumi state delete) and run pulumi up, which adopts the existing groups.",
        ],
      },
      "state-of-other-kind": {
        cause:
          "The state of {subject} is that of {other}: an alias can't lead from one kind of resource to the other",
        remedy: [
          "Remove the alias. Declared without it, the groups are adopted with their tokens; or move them by npx --no pulumi-user-groups import-file.",
        ],
      },
    },
    see: ["Perhaps somebody edited it, or a newer version wrote it."],
  },
  "timed-out": {
    kind: "error",
    meaning: "no usable response within `timeout`",
    texts: {
      "no-response": {
        cause: "no complete response came in time",
        remedy: ["Run the same command again, or raise {timeout}."],
      },
      "still-shown": {
        cause: "the service still shows the group that this command has deleted, so wait until it doesn't",
        remedy: ["Nothing was recorded. Then run the same command again."],
      },
    },
    see: [
      "`timeout` covers all attempts for one group, but not its time in the queue. If the service is slow, lower `maxConnections`.",
      "",
      "If the service shows deletions late, the group that it shows has a dead token, so nothing was recorded. Wait until it shows the deletion, then run the same command again.",
    ],
  },
  unauthorized: {
    kind: "error",
    meaning: "the API token wasn't accepted",
    texts: {
      "not-accepted": { cause: "the API token was not accepted", remedy: ["Check {apiToken}."] },
      "not-permitted": {
        cause: "the request was not permitted",
        remedy: ["Check {apiToken} and its permissions."],
      },
      "not-permitted-in-between": {
        cause: "the request was refused, and the response body {issue}",
        remedy: [inBetween, "Otherwise check {apiToken}."],
      },
    },
    see: [
      "The token is wrong, was rotated, or lacks a permission (status 403).",
      "For a `UserGroups`, this error stands inside a [`partial-failure`](#partial-failure).",
      "If the response isn't JSON, [a gateway](#a-gateway-refuses-the-requests) sent it.",
    ],
  },
  unexpected: {
    kind: "error",
    meaning: "a defect of the package",
    texts: {
      thrown: {
        cause: "an unexpected {error}",
        remedy: ["This is a bug in pulumi-user-groups: report it with this line. Nothing was retried."],
      },
    },
    see: [],
  },
  "unexpected-status": {
    kind: "error",
    meaning: "a status that the service doesn't document",
    texts: {
      "status-of-service": {
        cause: "the service returned status {seen}",
        remedy: ["Run the same command again when the service is healthy."],
      },
      "rate-limited": { cause: "the service returned status {seen}", remedy: [moreSlowly] },
      "rate-limit": { cause: "the service limits requests", remedy: [moreSlowly] },
      "status-405": {
        cause: "the method {method} was refused",
        remedy: [
          "Let everything between Pulumi and the service pass on GET with a body, and DELETE. Otherwise check {baseUrl}.",
        ],
      },
      "status-411": {
        cause: "the length of the body was missing",
        remedy: [
          "The request has it, so let everything between Pulumi and the service pass on its header Content-Length.",
        ],
      },
      "status-413": {
        cause: "the request is too large: {sizes}",
        remedy: ["Shorten these values, or raise the limit of the service or of a gateway."],
      },
      "status-414": {
        cause: "the URL is too long",
        remedy: ["Shorten {baseUrl}, or raise the limit of a gateway."],
      },
      "status-431": {
        cause: "the headers are too large",
        remedy: ["Shorten {headers}, or raise the limit of a gateway."],
      },
      "refused-in-between": {
        cause: "the request was refused, and the response body {issue}",
        remedy: [inBetween, "Otherwise check {baseUrl}."],
      },
      "undocumented-status": {
        cause: "the service returned a status that its contract doesn't define",
        remedy: ["Check {baseUrl}, and the health of the service."],
      },
    },
    see: [
      "[Some statuses](service-interface.md#retries) are repeated until `timeout`, unless the service asks for a longer pause.",
      "If the response isn't JSON, [a gateway](#a-gateway-refuses-the-requests) sent it.",
    ],
  },
  "update-not-applied": {
    kind: "error",
    meaning: "the service kept the old values, or has another group",
    texts: {
      "previous-values": {
        cause: "the service still returns the previous {fields}",
        remedy: [
          "The state keeps the previous values, and the next pulumi up requests the group again.{mapping}",
          'If the service doesn\'t update {fields}, set user-groups:changes to "replace".',
        ],
      },
      "another-group": {
        cause: "the service has another group under its ID than the state had, with another token",
        remedy: [
          "The state has that group now, and the planned change wasn't begun.",
          "Run pulumi up again: its preview says what becomes of the group.",
        ],
      },
    },
    see: [
      "With `replace`, the next `up` gives the group [a new token](changes.md).",
      "",
      "The service has another group under the ID if a request got no response, and somebody then created the group again.",
    ],
  },
  "wrong-group": {
    kind: "error",
    meaning: "the response is about another group",
    texts: {
      "response-for-other-spelling": {
        cause: "the response is for another group: its user_group.provided_id is {returned}",
        remedy: [
          "Nothing was recorded{created}.",
          "Use the service's spelling in the userGroupId, and the next pulumi up adopts the group.",
        ],
      },
      "response-for-other-group": {
        cause: "the response is for another group: its user_group.provided_id is {returned}",
        remedy: ["Nothing was recorded{created}.", "Look for a cache between Pulumi and the service."],
      },
      "token-of-another": {
        cause:
          "the service returned the token that {resource} has for another userGroupId, so the service takes both for one group (because of upper case or spaces, for example), or that state is out of date",
        remedy: [
          "Nothing was recorded.",
          "Use one spelling of the ID, that which the state has.",
          "If they are two groups, run pulumi refresh, then run the same command again.",
        ],
      },
      "token-in-other-group": {
        cause: "{resource} has its token with another userGroupId, so its deletion could delete that group",
        remedy: [
          keptAsItIs,
          "Run pulumi refresh, then run the same command again.",
          'If that doesn\'t help, drop it from the state only: by removed: "retain" in a UserGroups, or by pulumi state delete <urn>.',
        ],
      },
      "mixed-up": {
        cause:
          "has the token of {fields} in the service, so the service mixes them up, or takes both IDs for one group",
        many: "have the tokens of {fields} in the service, so the service mixes them up, or takes several IDs for one group",
        remedy: [
          "The state stays as it was.",
          "Use one spelling of an ID; otherwise ask the service's operator.",
        ],
      },
    },
    see: ["A cache that ignores the body of a GET returns the same response for each group."],
  },
} as const satisfies Readonly<Record<string, Row & { readonly kind: "error" }>>;

const warnings = {
  adopted: {
    kind: "warning",
    meaning: "the service had the group before",
    texts: {
      adopted: {
        cause: "existed before and is adopted with its token",
        many: "existed before and are adopted with their tokens",
        remedy: [checkMapping],
      },
      "adopted-by-derived-id": {
        cause: "existed before with the ID of the program's values, and is adopted with its token",
        many: "existed before with the IDs of the program's values, and are adopted with their tokens",
        remedy: ["The ID shows that the group was created with this mapping."],
      },
      "adopted-after-lost-response": {
        cause: "was possibly created by an attempt whose response was lost, so it counts as adopted",
        many: "were possibly created by attempts whose responses were lost, so they count as adopted",
        remedy: ["A group that existed before may have another mapping.", checkMapping],
      },
    },
    see: [
      "If you didn't expect the group, another stack may declare it ([adopt](existing-groups.md#adopt)).",
    ],
  },
  "adopted-with-other-values": {
    kind: "warning",
    meaning: "the adopted group has other values",
    texts: {
      "adopted-with-other-values": {
        cause: "differs in {fields} from the program",
        many: "differ in {fields} from the program",
        remedy: [
          "The state has the service's values, and pulumi preview --diff shows both. The next pulumi up applies those of the program, and its preview says whether that gives a new token.",
        ],
      },
    },
    see: ["To keep the token, write the service's values into the program."],
  },
  "claim-taken-over": {
    kind: "warning",
    meaning: "the state of an imported group gets the program's mapping",
    texts: {
      "claim-taken-over": {
        cause: "was imported without its mapping, and takes over the program's",
        many: "were imported without their mappings, and take over the program's",
        remedy: ["No request was sent.", checkMapping],
      },
      "keepers-taken-over": {
        cause: "was imported with its mapping, but without its keepers, and takes over the program's",
        many: "were imported with their mappings, but without their keepers, and take over the program's",
        remedy: ["No request was sent."],
      },
    },
    see: [
      "If the import knew the mapping, and only `keepers` are taken over, the message says so, and nothing is in doubt.",
      "See [import from a file](existing-groups.md#import-from-a-file).",
    ],
  },
  "created-again": {
    kind: "warning",
    meaning: "the group was gone",
    texts: {
      "created-again": {
        cause: "didn't exist in the service, and was created again with a new token",
        many: "didn't exist in the service, and were created again with new tokens",
        remedy: [deliver],
      },
    },
    see: [],
  },
  "created-unchecked": {
    kind: "warning",
    meaning: "groups may be in another account",
    texts: {
      "created-unchecked": {
        cause: "{groups}: requested before the state could show that the API token has changed",
        remedy: [
          "If today's API token is that of another account, delete what was created there by pulumi destroy --target <urn> of each resource, restore the previous API token, and run pulumi up.",
        ],
      },
    },
    see: [
      "The new group was created before the engine showed a state, because all other resources of the program depend on it. No later `up` corrects it.",
    ],
  },
  "exponent-in-id": {
    kind: "warning",
    meaning: "YAML changed a number that is an ID",
    texts: {
      "exponent-in-id": {
        cause:
          "{groups}: the ID has the form of a number in exponent notation, which YAML makes of a long number",
        remedy: ["Quote the number in the program or in the configuration."],
      },
    },
    see: [],
  },
  "former-group-deleted": {
    kind: "warning",
    meaning: "the token of a former group ends",
    texts: {
      "former-group-deleted": {
        cause: "{group}: its former group is deleted, because its time is over or the program ends it",
        remedy: [],
      },
      "former-groups-deleted": {
        cause:
          "{group}: {count} former groups are deleted, because their time is over or the program ends it",
        remedy: [],
      },
    },
    see: [
      "The program ends the time of a former group by `overlap: false` or `overlapHours: 0`.",
      "First [deliver the new token](deliver-tokens.md).",
      "A `UserGroups` says it in `planned-changes`.",
    ],
  },
  "former-group-replaced": {
    kind: "warning",
    meaning: "a former group is somebody else's",
    texts: {
      "former-group-replaced": {
        cause:
          "has a former group with another token in the service than in the state, so this former group has left the state",
        many: "have former groups with other tokens in the service than in the state, so these former groups have left the state",
        remedy: ["Nothing was deleted."],
      },
    },
    see: [],
  },
  "former-token": {
    kind: "warning",
    meaning: "a change is taken back in time",
    texts: {
      "former-token": {
        cause:
          "{group} gets back the token of its former group, which has the program's values. The group that it has now {former}",
        remedy: ["For another token, change keepers to a new value."],
      },
    },
    see: ["If that token has leaked, it is in use again."],
  },
  "groups-not-known": {
    kind: "warning",
    meaning: "`groups` is known in the update only",
    texts: {
      "groups-not-known": {
        cause:
          "user groups in this change: groups isn't known yet, because it depends on another resource of this update, and the update checks the guards",
        remedy: [],
      },
    },
    see: [
      "While `groups` isn't known, no other resource may declare a customer whom this `UserGroups` has in the state. The preview refuses that with [`removed-elsewhere`](#removed-elsewhere).",
    ],
  },
  "guards-not-known": {
    kind: "warning",
    meaning: "a guard is known in the update only",
    texts: {
      "guards-not-known": {
        cause:
          "removed, deletionLimit or overlap isn't known yet, because it depends on another resource of this update, so the update may still fail",
        remedy: [],
      },
    },
    see: [],
  },
  "ignored-changes-applied": {
    kind: "warning",
    meaning: "a replacement ignores `ignoreChanges`",
    texts: {
      "ignored-changes-applied": {
        cause: "{group}ignoreChanges has no effect on {fields} in a replacement",
        remedy: [],
      },
    },
    see: ["Only the plugin can warn of it. Give the program the values of the state."],
  },
  kept: {
    kind: "warning",
    meaning: "another resource has the group",
    texts: {
      kept: {
        cause: "is kept with its token, because a resource of this program still has it",
        many: "are kept with their tokens, because resources of this program still have them",
        remedy: [],
      },
    },
    see: [],
  },
  "mapping-not-verified": {
    kind: "warning",
    meaning: "an update in place of a mapping",
    texts: {
      "mapping-not-verified": {
        cause: "was updated with a new mapping",
        many: "were updated with new mappings",
        remedy: [checkMapping],
      },
    },
    see: [],
  },
  "new-token": {
    kind: "warning",
    meaning: "the customer gets a new token",
    texts: {
      "new-token": { cause: "{group} {effect}, because {reason}", remedy: [] },
    },
    see: [
      "Plan [its delivery](deliver-tokens.md).",
      'Without `overlap`, the group "is deleted and created again", or, if it has an ID with a digest, the former group "is deleted in the same up".',
      "With `overlap`, a group that has the new values already is adopted with its token.",
    ],
  },
  "planned-changes": {
    kind: "warning",
    meaning: "a `UserGroups` changes",
    texts: {
      "planned-changes": { cause: "user groups in this change: {changes}", remedy: [] },
    },
    see: [
      "You see this for a `UserGroups`, and for a `UserGroup` whose `userGroupId` changes.",
      '"To create" may adopt a group: for a new `UserGroups`, the line says "3 to create or adopt", and with `adopt: false` "3 to create, which fails for those that exist".',
      "Other phrases:",
      "",
      "- `delete and create again with a new token`, `update`, `request again`",
      "- with `overlap`, or in the first change after it was switched off: `get a new token, while their former groups stay for 24 hours`, `… stay until the next up` or `… are deleted in the same up`, `get back the token of a former group`, `keep former groups of earlier changes until …`, `lose former groups`",
      '- with `removed: "retain"`: `remove from the state only`',
      "- for the previous ID of a `UserGroup`: `delete, unless another resource of the program declares the customer`, with `overlap` `delete with their former groups at once, …`",
      "",
      'After the names of the groups stands what changes. "Possibly" depends on a value that isn\'t known yet.',
      "If no group is deleted or gets a new token, the line is no warning and has no code.",
      "With `retainOnDelete`, the deletions that the line names don't happen.",
    ],
  },
  "possible-new-token": {
    kind: "warning",
    meaning: "perhaps a new token",
    texts: {
      "possible-new-token": {
        cause:
          "{group} {effect}, because a value of its {fields} isn't known yet: it depends on another resource of this update",
        remedy: [],
      },
    },
    see: ["The group keeps its token if the value turns out to be the same."],
  },
  retained: {
    kind: "warning",
    meaning: "a group left the state only",
    texts: {
      retained: {
        cause: "stays in the service without a resource, because removed is retain",
        many: "stay in the service without a resource, because removed is retain",
        remedy: [
          'To delete a retained group, delete it in the service; or declare the customer again with the same values, run pulumi up, and remove the customer with removed: "delete".',
        ],
      },
      "retained-former": {
        cause:
          "is a former group, whose time ends at {fields}, and stays in the service without a resource, because removed is retain",
        many: "are former groups, whose times end at {fields}, and stay in the service without a resource, because removed is retain",
        remedy: ["To delete such a group, delete it in the service, or by pulumi do with the plugin."],
      },
    },
    see: [
      "In [a move](moves.md), another resource adopts it next.",
      "A former group within its time stays, too, and no `up` deletes it any more. When no application has its token, [delete it by its ID](existing-groups.md#delete-a-group-that-no-stack-has).",
    ],
  },
  settled: {
    kind: "warning",
    meaning: "a group was requested again",
    texts: {
      settled: {
        cause: "was requested again, because an earlier request may have been applied",
        many: "were requested again, because earlier requests may have been applied",
        remedy: ["No token has changed."],
      },
    },
    see: [],
  },
  "stored-with-other-values": {
    kind: "warning",
    meaning: "the service changes values",
    texts: {
      "stored-with-other-values": {
        cause: "has another name or other properties in the service than were sent",
        many: "have other names or properties in the service than were sent",
        remedy: ["The state stores both, and this isn't drift."],
      },
    },
    see: ["A later change there is still [drift](runbooks.md#drift)."],
  },
  "to-be-settled": {
    kind: "warning",
    meaning: "a group will be requested again",
    texts: {
      "to-be-settled": {
        cause: "{group} is requested again, because an earlier request may have been applied",
        remedy: [],
      },
    },
    see: [],
  },
  "token-changed": {
    kind: "warning",
    meaning: "the group has another token",
    texts: {
      "token-changed": {
        cause: "has another token than the state, and counts as adopted",
        many: "have other tokens than the state, and count as adopted",
        remedy: [
          deliver,
          "If the preview of this command said created-again, the preview created the group with the state's mapping, and nothing else is to do.",
          "Otherwise, the state is an older one, or something else created the group again, with a mapping that can't be verified. Only then, to be sure of it, change keepers, which gives a group a new token.",
        ],
      },
    },
    see: [
      "The preview of `pulumi refresh` or `pulumi up --refresh` reads by get-or-create, so it creates a missing group, and stores nothing. It is a process of its own, which the refresh after it knows nothing of. With `--skip-preview`, there is one process, and the state knows that the group is new.",
    ],
  },
} as const satisfies Readonly<Record<string, Row & { readonly kind: "warning" }>>;

export const catalogue = { ...errors, ...warnings };

export const errorCodes = Object.keys(errors).filter((code): code is ErrorCode => code in errors);
export const warningCodes = Object.keys(warnings).filter((code): code is WarningCode => code in warnings);

export type ErrorCode = keyof typeof errors;
export type WarningCode = keyof typeof warnings;
export type Code = ErrorCode | WarningCode;

/** The texts of all codes, by their names. */
type TextsOf<Rows extends Readonly<Record<string, Row>>> = {
  [
    Name in {
      [Of in keyof Rows]: keyof Rows[Of]["texts"];
    }[keyof Rows]
  ]: {
    [Of in keyof Rows]: Name extends keyof Rows[Of]["texts"]
      ? Rows[Of]["texts"][Name] & { readonly code: Of }
      : never;
  }[keyof Rows];
};

export type Texts = TextsOf<typeof catalogue>;
