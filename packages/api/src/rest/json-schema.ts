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
  return z.toJSONSchema(schema, {
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
      // A time may be given as a Date or as text; in JSON both are strings.
      const [first, ...others] = jsonSchema.anyOf ?? [];
      if (first && others.length > 0 && others.every((each) => isDeepStrictEqual(each, first))) {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, first);
      }
      // Every integer is a safe JavaScript integer; stating the bound on each only adds noise.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // The format means the same; the pattern behind it is a page long.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
    },
  }) as JsonSchema;
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
