/**
 * The methods of `ResourceProvider` for a resource. Each calls its lifecycle:
 *
 * | method         | lifecycle                                                                                     |
 * | -------------- | --------------------------------------------------------------------------------------------- |
 * | check, diff    | check, diff                                                                                   |
 * | create, update | create, update; in a preview neither                                                          |
 * | read           | read: a refresh if the engine passes a token, otherwise a lookup, whose group must exist      |
 * | delete         | delete                                                                                        |
 */
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { ChangeKind } from "../core/changes";
import { checkFailures } from "../adapter/checkFailures";
import type { Deployment, Diff, Lifecycle, ResourceState } from "../core/lifecycle";
import { defined, wireOutputs } from "../adapter/wireOutputs";
import type { ValidationIssue } from "../validation";
import { isUnknown, propertiesOf, type JsonObject } from "../values";
import type { EngineLog } from "./engineLog";
import { PartialFailureError } from "./grpcErrors";
import { kindOf, type Kind } from "./kinds";
import { fromStruct, recordedState, toStruct } from "./properties";
import { unaryMethod } from "./unaryMethod";

export interface ResourceDependencies extends Omit<Deployment, "logger"> {
  readonly log: EngineLog;
}

/** The operations on the resource of a request, and its kind. */
type Work<Response> = (lifecycle: Lifecycle, kind: Kind) => Promise<Response> | Response;

export function resourceMethods({ log, ...dependencies }: ResourceDependencies) {
  const withLifecycle = async <Response>(urn: string, work: Work<Response>): Promise<Response> => {
    const kind = kindOf(urn);
    const logger = log.loggerFor(urn);
    try {
      return await work(kind.lifecycle({ ...dependencies, logger }), kind);
    } finally {
      await logger.delivered();
    }
  };
  const method = <Request extends { getUrn(): string }, Response>(
    work: (request: Request, lifecycle: Lifecycle, kind: Kind) => Promise<Response> | Response,
  ) =>
    unaryMethod((request: Request) =>
      withLifecycle(request.getUrn(), (lifecycle, kind) => work(request, lifecycle, kind)),
    );
  return {
    check: method(check),
    diff: method(diff),
    create: method(create),
    read: method(read),
    update: method(update),
    delete: method(remove),
  };
}

function check(request: proto.CheckRequest, lifecycle: Lifecycle): proto.CheckResponse {
  const inputs = propertiesOf(fromStruct(request.getNews()));
  const { connection, ...news } = inputs;
  const issues = [
    ...(connection === undefined ? [] : [connectionIssue]),
    ...lifecycle.check({ resource: request.getUrn(), olds: fromStruct(request.getOlds()), news }),
  ];
  const failures = checkFailures(issues, inputs).map(({ property, reason }) =>
    new proto.CheckFailure().setProperty(property).setReason(reason),
  );
  return new proto.CheckResponse().setInputs(toStruct(inputs)).setFailuresList(failures);
}

const connectionIssue: ValidationIssue = {
  path: "connection",
  reason: "is not an argument of the plugin: pass an explicit provider with the settings of the service",
};

function diff(request: proto.DiffRequest, lifecycle: Lifecycle): proto.DiffResponse {
  const { state, isForeign } = recordedState(request.getOlds());
  const news = fromStruct(request.getNews());
  return toDiffResponse(lifecycle.diff({ id: request.getId(), olds: state, news, isForeign }));
}

function toDiffResponse({ changes, replaces, deleteBeforeReplace, details }: Diff): proto.DiffResponse {
  const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
  const properties = [...details.keys()].map((path) => path.replace(/[.[].*$/s, ""));
  const response = new proto.DiffResponse()
    .setChanges(changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList([...replaces])
    .setDeletebeforereplace(deleteBeforeReplace)
    .setDiffsList([...new Set(properties)])
    .setHasdetaileddiff(true);
  for (const [path, kind] of details)
    response.getDetaileddiffMap().set(path, new proto.PropertyDiff().setKind(wireKind(kind, replaces)));
  return response;
}

/** For a replace form, the engine would replace the whole resource, also if only one of its groups is recreated. */
function wireKind(kind: ChangeKind, replaces: Diff["replaces"]): proto.PropertyDiff.Kind {
  const [form, replaceForm] = diffKinds[kind];
  return replaces.length > 0 ? replaceForm : form;
}

const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = proto.PropertyDiff.Kind;

/** The kind as the engine names it, in an update and in a replacement. */
const diffKinds: Record<ChangeKind, [update: proto.PropertyDiff.Kind, replacement: proto.PropertyDiff.Kind]> =
  {
    add: [ADD, ADD],
    "add-replace": [ADD, ADD_REPLACE],
    delete: [DELETE, DELETE],
    "delete-replace": [DELETE, DELETE_REPLACE],
    update: [UPDATE, UPDATE],
    "update-replace": [UPDATE, UPDATE_REPLACE],
  };

async function create(
  request: proto.CreateRequest,
  lifecycle: Lifecycle,
  { preview }: Kind,
): Promise<proto.CreateResponse> {
  const inputs = fromStruct(request.getProperties());
  if (request.getPreview()) {
    const { userGroupId } = inputs;
    const id = typeof userGroupId === "string" && !isUnknown(userGroupId) ? userGroupId : "";
    return new proto.CreateResponse().setId(id).setProperties(outputs(preview(inputs)));
  }
  const created = await lifecycle.create(inputs);
  return new proto.CreateResponse().setId(created.id).setProperties(outputsOrFailure(created));
}

async function read(
  request: proto.ReadRequest,
  lifecycle: Lifecycle,
  { parseImportId }: Kind,
): Promise<proto.ReadResponse> {
  const passed = recordedState(request.getProperties()).state;
  // An import passes no values of the group. Its ID contains them.
  const isLookupById = !("name" in passed || "groups" in passed);
  const target = isLookupById ? parseImportId(request.getId()) : { id: request.getId(), state: {} };
  const found = await lifecycle.read(target.id, { ...passed, ...target.state }, { mustExist: true });
  return new proto.ReadResponse()
    .setId(found.id)
    .setProperties(outputs(found.state))
    .setInputs(toStruct(defined(found.inputs)));
}

async function update(
  request: proto.UpdateRequest,
  lifecycle: Lifecycle,
  { preview }: Kind,
): Promise<proto.UpdateResponse> {
  const { state } = recordedState(request.getOlds());
  const news = fromStruct(request.getNews());
  if (request.getPreview()) return new proto.UpdateResponse().setProperties(outputs(preview(news, state)));
  const updated = await lifecycle.update(request.getId(), state, news);
  return new proto.UpdateResponse().setProperties(outputsOrFailure(updated));
}

async function remove(request: proto.DeleteRequest, lifecycle: Lifecycle): Promise<Empty> {
  await lifecycle.delete(request.getId(), recordedState(request.getProperties()).state);
  return new Empty();
}

function outputs(state: JsonObject) {
  return toStruct(wireOutputs(state));
}

function outputsOrFailure({ id, state, failure }: ResourceState) {
  if (failure) throw new PartialFailureError(id, outputs(state), failure.reasons);
  return outputs(state);
}
