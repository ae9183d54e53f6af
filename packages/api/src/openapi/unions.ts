import { type JsonSchema, mapSchemas } from "../rest/json-schema.ts";

/**
 * withDiscriminator names the property by which the variants of a union differ, so that generated clients can choose one
 * without trying all.
 */
export function withDiscriminator(schema: JsonSchema, all: Record<string, JsonSchema>): JsonSchema {
  const variants = (schema.oneOf ?? [])
    .filter(({ type }) => type !== "null")
    .map(({ $ref = "" }) => ({ $ref, properties: all[componentOf($ref)]?.properties ?? {} }));
  const [first] = variants;
  if (!first) return schema;
  const constantOf = ({ properties }: (typeof variants)[number], name: string) => properties[name]?.const;
  const propertyName = Object.keys(first.properties).find(
    (name) =>
      variants.every((each) => typeof constantOf(each, name) === "string") &&
      new Set(variants.map((each) => constantOf(each, name))).size === variants.length,
  );
  if (propertyName === undefined) return schema;
  const mapping = Object.fromEntries(variants.map((each) => [constantOf(each, propertyName), each.$ref]));
  return { ...schema, discriminator: { propertyName, mapping } };
}

function componentOf(ref: string): string {
  return ref.replace("#/components/schemas/", "");
}

/**
 * findNullableUnions returns the unions that a schema uses where null is also valid, each as a union with null among
 * its variants. Generated clients for Java reject null where the named union doesn't list it.
 */
export function findNullableUnions(schema: JsonSchema, defs: Record<string, JsonSchema>): Map<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  mapSchemas(schema, (each) => {
    const name = nullableRef(each);
    const oneOf = name === undefined ? undefined : defs[name]?.oneOf;
    if (name !== undefined && oneOf) found.set(orNull(name), { oneOf: [...oneOf, { type: "null" }] });
    return each;
  });
  return found;
}

/** withNullableUnions refers to those unions by name. */
export function withNullableUnions(schema: JsonSchema, names: ReadonlyMap<string, unknown>): JsonSchema {
  return mapSchemas(schema, (each) => {
    const name = nullableRef(each);
    if (name === undefined || !names.has(orNull(name))) return each;
    const { anyOf: _, ...rest } = each;
    return { ...rest, $ref: `#/$defs/${orNull(name)}` };
  });
}

function orNull(name: string): string {
  return `${name}OrNull`;
}

function nullableRef({ anyOf }: JsonSchema): string | undefined {
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== "null") return undefined;
  return anyOf[0]?.$ref?.replace("#/$defs/", "");
}
