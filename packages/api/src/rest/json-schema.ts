import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** The parts of a JSON schema that this package reads. */
export type JsonSchema = {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
  [keyword: string]: unknown;
};

/** toJsonSchema describes the input of a procedure, or its output as JSON. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const { type } = zodSchema._zod.def;
      // A choice of values is an enum: generators of clients can't read a union of constants.
      const values = (jsonSchema.anyOf ?? []).map((each) => (each as JsonSchema).const);
      if (values.length > 0 && values.every((each) => each !== undefined)) {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, {
          type: values.every(Number.isInteger) ? "integer" : typeof values[0],
          enum: values,
        });
      }
      // JSON has no dates: they are strings in both directions.
      if (type === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
      // Every integer is a safe JavaScript integer; stating the bound on each only adds noise.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Without it, generated clients read single precision.
      if (jsonSchema.type === "number") jsonSchema.format = "double";
      // The format means the same; the pattern behind it is a page long.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
    },
  }) as JsonSchema;
  // What clients, or their generators, can't read is replaced by what means the same.
  return mapSchemas(json, (each) => asOnePattern(withoutEqualBranches(withNamedProperties(each))));
}

/** mapSchemas replaces each schema in a schema, the inner ones first. */
export function mapSchemas(schema: JsonSchema, map: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return map(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each)])));
  };
  return visit(schema) as JsonSchema;
}

/** A time may be given as a Date or as text; in JSON both are strings. */
function withoutEqualBranches(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const [first, ...others] = Array.isArray(anyOf) ? anyOf : [];
  const isChoice =
    first === undefined || others.length === 0 || !others.every((each) => isDeepStrictEqual(each, first));
  return isChoice ? schema : { ...first, ...rest };
}

/** A text in one of several notations is a string: generators make a class of each other union, even in a query. */
function asOnePattern(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const patterns = (Array.isArray(anyOf) ? anyOf : []).map(({ type, pattern, maxLength }) =>
    type === "string" && maxLength === undefined ? pattern : undefined,
  );
  if (patterns.length === 0 || !patterns.every((each) => typeof each === "string")) return schema;
  return { ...rest, type: "string", pattern: patterns.join("|") };
}

/** A record with a value for each key of an enum is an object with these properties. */
function withNamedProperties(schema: JsonSchema): JsonSchema {
  const { propertyNames, additionalProperties, ...rest } = schema;
  if (!propertyNames || !Array.isArray(rest.required) || typeof additionalProperties !== "object") return schema;
  const properties = Object.fromEntries(rest.required.map((name) => [name, additionalProperties]));
  return { ...rest, properties, additionalProperties: false };
}

/** resolve follows references within one schema. */
export function resolve(schema: JsonSchema, defs: Record<string, JsonSchema>): JsonSchema {
  const name = schema.$ref?.replace("#/$defs/", "");
  const target = name === undefined ? undefined : defs[name];
  return target ? resolve(target, defs) : schema;
}

/** variants lists what a value may be: the schema itself, or each branch of its union. */
export function variants(schema: JsonSchema, defs: Record<string, JsonSchema>): JsonSchema[] {
  const resolved = resolve(schema, defs);
  const branches = resolved.anyOf ?? resolved.oneOf;
  return branches ? branches.flatMap((branch) => variants(branch, defs)) : [resolved];
}
