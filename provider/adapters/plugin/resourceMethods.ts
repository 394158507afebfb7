/** The methods of `ResourceProvider` for a resource. Each calls its lifecycle, except creations and updates in a preview. */
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { EngineLog } from "../engineLog";
import { checkReasons, outputsOf, previewOutputs, readProperties } from "../results";
import type { Deployment, Logger } from "../../core/deployment/context";
import { lifecycleOf, type Lifecycle } from "../../core/lifecycle";
import { ignoredChangesApplied } from "../../core/messages/warnings";
import { isUnknown, propertiesOf, resourceOf, type JsonObject } from "../../values";
import { kindInUrn, type ResourceKind } from "./kinds";
import { changedNames, fromStruct, recordedState, toStruct } from "./properties";
import { unaryMethod } from "./unaryMethod";

interface ResourceRequest {
  getUrn(): string;
  /** Seconds, from the option `customTimeouts`; 0: not given. */
  getTimeout?(): number;
}

interface Resource extends ResourceKind {
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
}

export function resourceMethods(log: EngineLog, deployment: () => Omit<Deployment, "logger">) {
  const method = <Request extends ResourceRequest, Response>(
    work: (request: Request, resource: Resource) => Promise<Response> | Response,
  ) =>
    unaryMethod(async (request: Request) => {
      const kind = kindInUrn(request.getUrn());
      const logger = log.loggerFor(request.getUrn());
      const lifecycle = lifecycleOf(kind.shape, {
        ...deployment(),
        logger,
        timeLimit: request.getTimeout?.(),
      });
      try {
        return await work(request, { ...kind, lifecycle, logger });
      } finally {
        await logger.delivered();
      }
    });
  /** URN → the inputs of a diff, in which the engine restored the properties of the option `ignoreChanges`. */
  const ignored = new Map<string, JsonObject>();
  return {
    check: method((request: proto.CheckRequest, { lifecycle, logger }) => {
      warnOfIgnoredChanges(request, ignored, logger);
      return check(request, lifecycle);
    }),
    diff: method((request: proto.DiffRequest, { lifecycle }) => {
      if (request.getIgnorechangesList().length > 0)
        ignored.set(request.getUrn(), fromStruct(request.getNews()));
      return diff(request, lifecycle);
    }),
    create: method(create),
    read: method(read),
    update: method(update),
    delete: method(remove),
  };
}

/** The engine checks the inputs of a replacement, which are the program's, after the diff. */
function warnOfIgnoredChanges(request: proto.CheckRequest, ignored: Map<string, JsonObject>, logger: Logger) {
  const restored = ignored.get(request.getUrn());
  if (!restored || Object.keys(fromStruct(request.getOlds())).length > 0) return;
  ignored.delete(request.getUrn());
  const applied = changedNames(restored, fromStruct(request.getNews()));
  const userGroupId = restored["userGroupId"];
  const group = typeof userGroupId === "string" ? { userGroupId } : undefined;
  if (applied.length > 0) logger.warn(ignoredChangesApplied(group, applied));
}

function check(request: proto.CheckRequest, lifecycle: Lifecycle): proto.CheckResponse {
  const inputs = propertiesOf(fromStruct(request.getNews()));
  const olds = fromStruct(request.getOlds());
  const issues = lifecycle.check({ resource: resourceOf(request.getUrn()), olds, news: inputs });
  const failures = checkReasons(issues).map((reason) => new proto.CheckFailure().setReason(reason));
  return new proto.CheckResponse().setInputs(toStruct(inputs)).setFailuresList(failures);
}

function diff(request: proto.DiffRequest, lifecycle: Lifecycle): proto.DiffResponse {
  const { state: olds, isOfOtherProvider } = recordedState(request.getOlds());
  const news = fromStruct(request.getNews());
  const { details, ...found } = lifecycle.diff({
    resource: resourceOf(request.getUrn()),
    id: idOf(request, olds),
    olds,
    news,
    isOfOtherProvider,
  });
  const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
  const properties = [...details.keys()].map((path) => path.replace(/[.[].*$/s, ""));
  const response = new proto.DiffResponse()
    .setChanges(found.changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList([...found.replaces])
    .setDeletebeforereplace(found.deleteBeforeReplace)
    .setDiffsList([...new Set(properties)])
    .setHasdetaileddiff(true);
  for (const [path, kind] of details) {
    // A replace form of a group in `UserGroups` would replace the whole resource, so only `replaces` have it.
    const form = found.replaces.includes(path) ? (`${kind}_REPLACE` as const) : kind;
    const change = new proto.PropertyDiff().setKind(proto.PropertyDiff.Kind[form]);
    response.getDetaileddiffMap().set(path, change);
  }
  return response;
}

async function create(request: proto.CreateRequest, { lifecycle }: Resource) {
  const inputs = fromStruct(request.getProperties());
  if (request.getPreview()) {
    const { userGroupId } = inputs;
    const id = typeof userGroupId === "string" && !isUnknown(userGroupId) ? userGroupId : "";
    return new proto.CreateResponse().setId(id).setProperties(previewed(lifecycle.preview(id, inputs)));
  }
  const created = await lifecycle.create({ resource: resourceOf(request.getUrn()), inputs });
  return new proto.CreateResponse().setId(created.id).setProperties(toStruct(outputsOf(created, inputs)));
}

async function read(request: proto.ReadRequest, { lifecycle, parseImportId }: Resource) {
  const id = request.getId();
  const { state } = recordedState(request.getProperties());
  const isComplete = ["name", "token", "tokens"].some((name) => name in state);
  // An import passes no values of the group. Its ID contains them. A lookup passes those that are known.
  const isLookup = Object.keys(state).length > 0 || (request.hasProperties() && !/[={]/.test(id));
  // `pulumi do` passes inputs, although it has none.
  const isKept = !request.hasInputs();
  const target = isComplete ? { id, state } : parseImportId(id, { isLookup, isKept });
  const isImport = !isComplete;
  const found = await lifecycle.read({ resource: resourceOf(request.getUrn()), ...target, isImport, isKept });
  const { outputs, inputs } = readProperties(found, { isImport });
  return new proto.ReadResponse()
    .setId(found.id)
    .setProperties(toStruct(outputs))
    .setInputs(toStruct(inputs));
}

async function update(request: proto.UpdateRequest, { lifecycle }: Resource) {
  const { state } = recordedState(request.getOlds());
  const news = fromStruct(request.getNews());
  const target = { resource: resourceOf(request.getUrn()), id: idOf(request, state), state };
  if (request.getPreview())
    return new proto.UpdateResponse().setProperties(previewed(lifecycle.preview(target.id, news, state)));
  const updated = await lifecycle.update({ ...target, news });
  return new proto.UpdateResponse().setProperties(toStruct(outputsOf(updated, news)));
}

async function remove(request: proto.DeleteRequest, { lifecycle }: Resource) {
  const { state } = recordedState(request.getProperties());
  await lifecycle.delete({ resource: resourceOf(request.getUrn()), id: idOf(request, state), state });
  return new Empty();
}

/** `pulumi do` passes the ID by which it has read the resource, which is that of an import. */
function idOf(request: { getId(): string }, { userGroupId }: JsonObject): string {
  return typeof userGroupId === "string" ? userGroupId : request.getId();
}

function previewed(state: JsonObject) {
  return toStruct(previewOutputs(state));
}
