/** zod schemas as types of a Pulumi schema. */
import { z } from "zod";

export interface TypeSpec {
  readonly description?: string;
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

export interface ObjectSpec {
  readonly properties: Readonly<Record<string, TypeSpec>>;
  readonly required: readonly string[];
}

type Json = z.core.JSONSchema._JSONSchema;

/** The properties of an object. `reference`: the type to name instead of an object inside it. */
export function objectSpec(schema: z.ZodType, reference = ""): ObjectSpec {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { unrepresentable: "any" });
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, typeSpec(property, reference)]),
    ),
    required,
  };
}

function typeSpec(schema: Json, reference: string): TypeSpec {
  if (typeof schema === "boolean" || schema.$ref !== undefined || schema.type === undefined) return any;
  if (Array.isArray(schema.type)) return { oneOf: schema.type.map((type: string) => ({ type })) };
  if (schema.type === "array" && schema.items !== undefined && !Array.isArray(schema.items))
    return { type: "array", items: typeSpec(schema.items, reference) };
  if (schema.type !== "object") return { type: schema.type };
  if (schema.properties) return { $ref: reference };
  return { type: "object", additionalProperties: typeSpec(schema.additionalProperties ?? true, reference) };
}

const any: TypeSpec = { $ref: "pulumi.json#/Any" };
