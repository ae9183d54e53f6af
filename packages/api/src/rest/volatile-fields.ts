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
  let found: VolatileFields = {};
  for (const [name, property] of Object.entries(properties)) {
    const fields = property[volatileKeyword] === true || within(property);
    if (fields) found[name] = fields;
  }
  const parts = ([items, anyOf, oneOf, allOf].flat() as (JsonSchema | undefined)[]).filter(
    (part) => part !== undefined,
  );
  const ofParts = parts.map((part) => ({ names: namesOf(part, defs), fields: within(part) ?? {} }));
  for (const { fields } of ofParts) found = merge(found, fields);
  for (const { names, fields } of ofParts)
    for (const name of names)
      if (found[name] === true && fields[name] !== true)
        throw new Error(`${name} is volatile in one variant only: mark it in all, or give it another name`);
  return Object.keys(found).length > 0 ? found : null;
}

function namesOf(schema: JsonSchema, defs: Record<string, JsonSchema>): string[] {
  return Object.keys(resolve(schema, defs).properties ?? {});
}

function merge(one: VolatileFields, other: VolatileFields): VolatileFields {
  const both = { ...one };
  for (const [name, fields] of Object.entries(other)) {
    const before = both[name] ?? {};
    both[name] = fields === true || before === true || merge(before, fields);
  }
  return both;
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
