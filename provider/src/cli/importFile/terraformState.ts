/**
 * Groups in a state of OpenTofu or Terraform, created by a provider that stores the requests and responses of its resources:
 * Mastercard/restapi (1.20 and 3.0) or terracurl.
 */
import * as z from "zod";
import { getOrCreateResponse, isRefusal } from "../../service/contract";
import { isEqual, isObject, type JsonObject } from "../../values";
import { jsonText, parse } from "../../validation";
import { adoptedGroup, argumentIssue } from "./coreState";
import { group, invalid, leftOut, type Reading } from "./foundGroup";

const instance = z.object({
  index_key: z.union([z.string(), z.number()]).nullish(),
  deposed: z.string().nullish(),
  status: z.string().nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
});

const resource = z.object({
  module: z.string().nullish(),
  mode: z.string(),
  type: z.string(),
  name: z.string(),
  instances: z.array(instance).default([]),
});

const stateFile = z.object({
  version: z.literal(4, "must be 4. Write the state with Terraform 0.12 or newer, or with OpenTofu"),
  resources: z.array(resource),
});

/** Resource type → the attributes with the body of a create, with bodies of a read, of responses (the last one first), and of a delete. */
const attributesOf = {
  restapi_object: {
    created: "data",
    read: ["read_data"],
    responses: ["api_response", "create_response"],
    deleted: "destroy_data",
  },
  terracurl_request: {
    created: "request_body",
    read: [],
    responses: ["response", "sensitive_response"],
    deleted: "destroy_request_body",
  },
} as const;

type ResourceType = keyof typeof attributesOf;

export function isTerraformState(source: JsonObject): boolean {
  return Array.isArray(source["resources"]) && "version" in source;
}

/** Throws if the state has another form. */
export function groupsInTerraformState(source: JsonObject): Reading[] {
  const { resources } = parse(stateFile, source, ({ path, reason }) => {
    return new Error(`The source isn't a state of Terraform or OpenTofu: its ${path} ${reason}.`);
  });
  return resources.flatMap(({ instances, ...declared }) => {
    if (!isResourceType(declared.type)) return [];
    const type = declared.type;
    return instances.map((each) => {
      const place = addressOf(declared, each.index_key);
      if (declared.mode !== "managed") return leftOut(place, "is a data source");
      if (each.deposed != null) return leftOut(place, "is an object that a replacement has left");
      if (each.status === "tainted") return invalid(place, "is tainted: let its tool replace it first");
      return groupIn(type, place, each.attributes ?? {});
    });
  });
}

function isResourceType(type: string): type is ResourceType {
  return Object.hasOwn(attributesOf, type);
}

/** `module.eu.restapi_object.user_group["acme"]` */
function addressOf(
  { module, mode, type, name }: Omit<z.infer<typeof resource>, "instances">,
  key: string | number | null | undefined,
): string {
  const words = [module, mode === "data" ? "data" : undefined, type, name];
  const index = key == null ? "" : `[${JSON.stringify(key)}]`;
  return words.filter((word) => word != null).join(".") + index;
}

const response = getOrCreateResponse.shape.user_group;
const deletion = jsonText("").pipe(z.object({ data_source_provided_id: z.string() }));

function groupIn(type: ResourceType, place: string, attributes: JsonObject): Reading {
  const names = attributesOf[type];
  const created = requestIn(attributes[names.created]);
  const requests = [created, ...names.read.map((name) => objectIn(attributes[name]))];
  const request = requests.find((body) => body["user_group_id"] !== undefined);
  const responses = names.responses.map((name) => objectIn(attributes[name]));
  const shown = responses.find((body) => body["user_group"] !== undefined);
  if (request === undefined && shown === undefined) return leftOut(place, "isn't a user group");
  if (request === undefined) return invalid(place, "has no request with a user_group_id");
  if (isRefusal(shown)) return invalid(place, "has a response that refuses its request (success 0)");
  const { data: found, error } = response.safeParse(shown?.["user_group"] ?? {});
  if (error) {
    const issue = error.issues[0];
    return invalid(place, `has no valid response: its ${issue?.path.join(".")} ${issue?.message}`);
  }
  const userGroupId = request["user_group_id"];
  if (found.provided_id !== userGroupId)
    return invalid(place, "has a response about another user group than its request");
  const name = found.name === "" ? request["name"] : found.name;
  const isMappingKnown = created === request;
  const values = {
    userGroupId,
    name: typeof name === "string" ? name : "",
    mapping: isMappingKnown ? (request["mapping"] ?? undefined) : undefined,
    properties: found.properties ?? undefined,
    dataSourceProvidedId: deletion.safeParse(attributes[names.deleted]).data?.data_source_provided_id,
  };
  const issue = argumentIssue(values);
  if (issue) return invalid(place, `is invalid: its ${issue.path} ${issue.reason}`);
  const mapping = isObject(values.mapping) ? values.mapping : undefined;
  return group({
    place,
    group: adoptedGroup({ ...values, mapping, token: found.token }, isMappingKnown),
    isMappingKnown,
    hasOtherValues: request["name"] !== name || !isEqual(request["properties"], found.properties),
    baseUrl: serviceIn(attributes),
  });
}

/** A refresh with restapi 3.0 stores the response in `data`, or a mixture of request and response. Both are no request. */
function requestIn(text: unknown): JsonObject {
  const body = objectIn(text);
  return "user_group" in body ? {} : body;
}

/** The object of a JSON text; empty for another value. */
function objectIn(text: unknown): JsonObject {
  return jsonObject.safeParse(text).data ?? {};
}

const jsonObject = jsonText("").pipe(z.record(z.string(), z.unknown()));

/** The state of restapi has no address of the service. terracurl has the whole URL. */
function serviceIn({ url }: JsonObject): string | undefined {
  return typeof url === "string" ? url.replace(/\/api\/user\/*$/, "") : undefined;
}
