import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { type JsonSchema, toJsonSchema } from "../rest/json-schema.ts";
import { asNullable, findNullableRefs, withDiscriminator } from "./unions.ts";

type Io = "input" | "output";

/**
 * SchemaComponents collects the named schemas of a document. A schema with defaults differs between input (the fields
 * may be left out) and output (they are always there): then the input is a component of its own, named …Input.
 */
export class SchemaComponents {
  readonly #defs: Record<Io, Map<string, JsonSchema>> = { input: new Map(), output: new Map() };
  readonly #nullable = new Set<string>();
  #differing: Set<string> | undefined;

  /** add collects every named schema in a schema. Add all before calling link or all. */
  add(schema: z.ZodType, io: Io): JsonSchema {
    this.#differing = undefined;
    const { $schema: _, $defs = {}, ...json } = toJsonSchema(schema, io);
    for (const name of findNullableRefs({ ...json, $defs })) this.#nullable.add(name);
    for (const [name, def] of Object.entries($defs)) {
      const canonical = canonicalName(name);
      this.#defs[io].set(canonical, canonical === "JsonValue" ? anyValue : withCanonicalRefs(def));
    }
    return withCanonicalRefs(json);
  }

  /** link points the references of a schema at the components. */
  link(schema: JsonSchema, io: Io): JsonSchema {
    return mapRefs(schema, (name) => `#/components/schemas/${this.#nameOf(name, io)}`);
  }

  /** all returns the components themselves, by name. */
  all(): Record<string, JsonSchema> {
    const named: [string, JsonSchema][] = [];
    for (const io of ["output", "input"] as const)
      for (const [name, def] of this.#defs[io]) {
        const linked = this.link(withoutId(def), io);
        named.push([this.#nameOf(name, io), this.#nullable.has(name) ? asNullable(linked) : linked]);
      }
    const all = Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
    for (const [name, schema] of Object.entries(all)) all[name] = withDiscriminator(schema, all);
    return all;
  }

  #nameOf(name: string, io: Io): string {
    this.#differing ??= this.#findDiffering();
    return io === "input" && this.#differing.has(name) ? `${name}Input` : name;
  }

  /** The names that differ, or that refer to one that differs. */
  #findDiffering(): Set<string> {
    const { input, output } = this.#defs;
    const shared = [...input.keys()].filter((name) => output.has(name));
    const differing = new Set(
      shared.filter((name) => !isDeepStrictEqual(loose(input.get(name)), loose(output.get(name)))),
    );
    for (let size = -1; size !== differing.size; ) {
      size = differing.size;
      for (const name of shared)
        if (refsOf(input.get(name) ?? {}).some((ref) => differing.has(ref))) differing.add(name);
    }
    return differing;
  }
}

/** Output schemas are closed by default and input schemas are not: that alone is no difference in meaning. */
function loose(schema: JsonSchema | undefined): unknown {
  return JSON.parse(
    JSON.stringify(schema ?? {}, (key, value) =>
      key === "additionalProperties" && value === false ? undefined : value,
    ),
  );
}

/** Generators of clients can't read a recursive union. */
const anyValue: JsonSchema = { description: "Any JSON value." };

/** z.json() is the one recursive schema; zod numbers its uses. */
function canonicalName(name: string): string {
  return /^__schema\d+$/.test(name) ? "JsonValue" : name;
}

function withCanonicalRefs(schema: JsonSchema): JsonSchema {
  return mapRefs(schema, (name) => `#/$defs/${canonicalName(name)}`);
}

function withoutId({ id: _, $id: __, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function refsOf(schema: JsonSchema): string[] {
  const refs: string[] = [];
  mapRefs(schema, (name) => {
    refs.push(name);
    return name;
  });
  return refs;
}

function mapRefs(schema: JsonSchema, map: (name: string) => string): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "$ref" && typeof value === "string"
        ? map(value.replace(/^#\/(\$defs|components\/schemas)\//, ""))
        : value,
    ),
  ) as JsonSchema;
}
