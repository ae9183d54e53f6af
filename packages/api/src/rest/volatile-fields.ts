import { volatileKeyword } from "@fairlead/domain";
import { type JsonSchema, resolve } from "./json-schema.ts";

/** The volatile fields of an answer, by name. Elements of a list have the fields of the list. */
export type VolatileFields = { [field: string]: true | VolatileFields };

/** findVolatileFields returns the fields that a schema marks as volatile; null if there are none. */
export function findVolatileFields(schema: JsonSchema): VolatileFields | null {
  return collect(schema, schema.$defs ?? {}, []);
}

function collect(
  schema: JsonSchema,
  defs: Record<string, JsonSchema>,
  above: readonly JsonSchema[],
): VolatileFields | null {
  const own = resolve(schema, defs);
  if (above.includes(own)) return null; // a schema that contains itself
  const { properties = {}, items, anyOf, oneOf, allOf } = own;
  const within = (part: JsonSchema) => collect(part, defs, [...above, own]);
  const found: VolatileFields = {};
  for (const [name, property] of Object.entries(properties)) {
    const fields = property[volatileKeyword] === true || within(property);
    if (fields) found[name] = fields;
  }
  const parts = [items, anyOf, oneOf, allOf].flat() as (JsonSchema | undefined)[];
  for (const part of parts) if (part) Object.assign(found, within(part));
  return Object.keys(found).length > 0 ? found : null;
}

/** withoutVolatile returns the part of an answer that changes only with the state of its objects. */
export function withoutVolatile(value: unknown, fields: VolatileFields): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutVolatile(each, fields));
  if (typeof value !== "object" || value === null) return value;
  const stable = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const within = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (within === true) return [];
    return [[name, within ? withoutVolatile(each, within) : each]];
  });
  return Object.fromEntries(stable);
}
