/** What the pages say of Pulumi itself: texts that it prints, and what its options do to groups. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pageAt, repository } from "../docs/pages";
import { packageProgram, pluginProgram } from "../engine/harness";
import { withFolder } from "../harness/run";
import { binaryFrom, nodePackage } from "../packages/tool";
import type { Place } from "./place";
import { fails, run, type Scenario } from "./scenarios";

const acme = 'new UserGroup("acme", { userGroupId: "acme", name: "Acme" });';

export const ofPulumi: readonly Scenario[] = [
  {
    title: "a proxy takes the program's connection to the engine, unless no_proxy names it",
    program: packageProgram(acme),
    steps: [
      // Nothing listens on the port of the protocol "discard".
      run("export https_proxy=http://127.0.0.1:9"),
      fails("pulumi preview", textsUnder("behind-a-proxy-no-program-runs")),
      run("export no_proxy=127.0.0.1,localhost PULUMI_SKIP_UPDATE_CHECK=true", "pulumi up"),
    ],
    end: "settled",
  },
  {
    title: "an inline program finds the package by its workDir",
    program: {
      "inline.js": `
        const { LocalWorkspace } = require("@pulumi/pulumi/automation");
        const { UserGroup } = require("pulumi-user-groups");
        const [workDir] = process.argv.slice(2);
        const program = async () => void ${acme}
        LocalWorkspace.createOrSelectStack({ projectName: "tests", stackName: "inline", program }, { workDir })
          .then((stack) => stack.up())
          .catch((error) => { console.error(error.message); process.exitCode = 1; });
      `,
    },
    steps: [
      fails("cd / && node $OLDPWD/inline.js", textsUnder("a-module-isnt-found")),
      run("cd / && node $OLDPWD/inline.js $OLDPWD"),
      hasGroups("acme"),
    ],
    end: "checked",
  },
  {
    title: "with refresh: always, each preview creates groups that are gone",
    program: packageProgram(acme),
    steps: [
      run("pulumi up", 'printf "options:\\n  refresh: always\\n" >>Pulumi.yaml'),
      ({ emulator }) => emulator.removeGroup("acme"),
      run("pulumi preview"),
      hasGroups("acme"),
    ],
    end: "checked",
  },
  {
    title: "with deletedWith, a group stays in the service",
    program: packageProgram(`
      const base = new UserGroup("base", { userGroupId: "base", name: "Base" });
      new UserGroup("acme", { userGroupId: "acme", name: "Acme" }, { deletedWith: base });
    `),
    steps: [run("pulumi up", "pulumi destroy"), hasGroups("acme")],
    end: "checked",
  },
  {
    title: "a dynamic resource can't be imported by its ID",
    program: packageProgram(""),
    steps: [
      fails(
        "pulumi import pulumi-nodejs:dynamic/user-groups:UserGroup acme acme",
        textsUnder("pulumi-import-fails"),
      ),
      hasGroups(),
    ],
    end: "checked",
  },
  {
    title: "a stack without default providers works with the plugin only",
    program: packageProgram(acme),
    steps: [
      run("pulumi config set --path 'pulumi:disable-default-providers[0]' '*'"),
      fails("pulumi up --skip-preview", /[Dd]efault provider for .* disabled/),
      (place) =>
        place.program(
          pluginProgram(`
            const provider = new Provider("groups", {});
            new UserGroup("acme", { userGroupId: "acme", name: "Acme" }, { provider });
          `),
        ),
      run("pulumi up"),
      hasGroups("acme"),
    ],
    end: "settled",
  },
  {
    title: "a refused API token is said once for all groups",
    program: packageProgram(`
      const groups = Object.fromEntries(["acme", "globex", "hooli"].map((id) => [id, { name: "Customer" }]));
      new UserGroups("customers", { groups });
    `),
    steps: [
      async (place) => {
        const { output } = await place.attempt("USER_GROUPS_API_TOKEN=wrong pulumi up --skip-preview");
        // The engine prints an error when it occurs, when the resource has failed, and here.
        const [, diagnostics = ""] = output.split("Diagnostics:");
        assert.equal(diagnostics.match(/\[unauthorized\]/g)?.length, 1, output);
        assert.match(diagnostics, /\[unauthorized\] The same for 2 more: "\w+", "\w+"\. \[partial-failure\]/);
      },
    ],
    end: "checked",
  },
  {
    title: "the preview of a refresh creates a group again, and a destroy accuses nobody of it",
    program: packageProgram(acme),
    steps: [
      run("pulumi up"),
      ({ emulator }) => emulator.removeGroup("acme"),
      run("PULUMI_SKIP_CONFIRMATIONS=false pulumi refresh --preview-only"),
      fails(
        "pulumi destroy",
        /another token, so it was created again\. Run pulumi refresh.*\[service-refused\]/,
      ),
      run("pulumi refresh", "pulumi destroy"),
      hasGroups(),
    ],
    end: "checked",
  },
  {
    title: "the build names the versions of Node.js that it needs",
    folder: () => Promise.resolve(repository),
    steps: [
      (place) =>
        withFolder(async (folder) => {
          const node = join(await binaryFrom(nodePackage("18"), folder), "node");
          const { code, output } = await place.attempt(`${node} release/build.mjs`);
          assert.equal(code, 1);
          assert.match(output, /^pulumi-user-groups requires Node\.js \^20\S+ .*, and this is v18/);
        }),
    ],
    end: "checked",
  },
];

/** The texts of the page of messages under this heading. */
function textsUnder(heading: string): RegExp {
  const texts = pageAt("docs/messages.md").snippets.filter(({ anchor }) => anchor === heading);
  assert(texts.length > 0, heading);
  const lines = texts.flatMap(({ text }) => text.replaceAll(/^error: /gm, "").split("\n"));
  return new RegExp(lines.map((line) => line.replaceAll(/[^\w ]/g, "\\$&")).join("|"));
}

function hasGroups(...ids: readonly string[]) {
  return ({ emulator }: Place) => {
    assert.deepEqual([...emulator.groups.keys()], ids);
  };
}
