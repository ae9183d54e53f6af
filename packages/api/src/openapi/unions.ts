import { type JsonSchema, mapSchemas } from "../rest/json-schema.ts";

/**
 * withDiscriminator names the property by which the variants of a union differ, so that generated clients can choose one
 * without trying all.
 */
export function withDiscriminator(schema: JsonSchema, all: Record<string, JsonSchema>): JsonSchema {
  const { oneOf } = schema;
  const variants = (oneOf ?? []).map(({ $ref = "" }) => ({
    $ref,
    properties: all[componentOf($ref)]?.properties ?? {},
  }));
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

/** findNullableRefs returns the names of the schemas instead of which null is also valid. */
export function findNullableRefs(schema: JsonSchema): Set<string> {
  const found = new Set<string>();
  mapSchemas(schema, (each) => {
    const name = nullableRef(each);
    if (name !== undefined) found.add(name);
    return each;
  });
  return found;
}

function nullableRef({ anyOf }: JsonSchema): string | undefined {
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== "null") return undefined;
  return anyOf[0]?.$ref?.replace("#/$defs/", "");
}

/** Clients for Java that openapi-generator writes read null in place of a union only if the union has this mark. */
export function asNullable(union: JsonSchema): JsonSchema {
  return union.oneOf ? { ...union, "x-nullable": true } : union;
}
