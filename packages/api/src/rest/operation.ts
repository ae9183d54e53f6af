import type { Permission } from "@fairlead/domain/access";
import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { z } from "zod";
import type { ProcedureMeta, RestMeta } from "../trpc.ts";
import { type JsonSchema, resolve, toJsonSchema, variants } from "./json-schema.ts";
import { findVolatileFields, type VolatileFields } from "./volatile-fields.ts";

/** One procedure as REST sees it. Compiled once: requests only look things up. */
export type Operation = RestMeta & {
  /** noun.verb, the name of the procedure. */
  id: string;
  /** Empty when any identified actor may call it. */
  permissions: readonly Permission[];
  /** Anonymous clients may call it too. */
  isOpen: boolean;
  status: 200 | 201 | 204;
  /** The path in segments; names in braces are fields of the input. */
  segments: { text: string; isField: boolean }[];
  input: JsonSchema;
  defs: Record<string, JsonSchema>;
  /** The fields of the input by where they are in the request. */
  pathFields: Record<string, JsonSchema>;
  queryFields: Record<string, JsonSchema>;
  bodyFields: Record<string, JsonSchema>;
  hasBody: boolean;
  /** Whether If-Match can guard it. */
  takesGeneration: boolean;
  /** A page of rows, to be followed by Link. */
  isList: boolean;
  /** What its ETag doesn't depend on. */
  volatileFields: VolatileFields | null;
  inputSchema: z.ZodType;
  outputSchema: z.ZodType;
};

const generationField = "expectedGeneration";

/** compileOperations builds the table of REST operations from the procedures that have REST metadata. */
export function compileOperations(router: AnyRouter): Operation[] {
  return listProcedures(router).flatMap((procedure) =>
    procedure.meta.rest ? [compileOperation(procedure, procedure.meta.rest)] : [],
  );
}

export type ProcedureDescription = {
  /** noun.verb */
  id: string;
  type: "query" | "mutation" | "subscription";
  meta: ProcedureMeta;
  input: z.ZodType;
  output: z.ZodType;
};

/** listProcedures reads the declaration that tRPC keeps of each procedure; its types don't show all of it. */
export function listProcedures(router: AnyRouter): ProcedureDescription[] {
  const procedures = router._def.procedures as Record<string, AnyProcedure>;
  return Object.entries(procedures).map(([id, procedure]) => {
    const def = procedure._def as unknown as {
      type: ProcedureDescription["type"];
      meta?: ProcedureMeta;
      inputs: z.ZodType[];
      output?: z.ZodType;
    };
    if (!def.meta) throw new Error(`The procedure ${id} has no meta: say which permission it needs.`);
    return {
      id,
      type: def.type,
      meta: def.meta,
      input: def.inputs.at(-1) ?? z.strictObject({}),
      output: def.output ?? z.void(),
    };
  });
}

/** permissionsNeeded lists the permissions that a procedure requires of its actor. */
export function permissionsNeeded({ permission }: ProcedureMeta): readonly Permission[] {
  if (permission === "signed-in" || permission === "person" || permission === "anyone") return [];
  return typeof permission === "string" ? [permission] : permission;
}

export function compileOperation(procedure: ProcedureDescription, rest: RestMeta): Operation {
  const { id, meta, input: inputSchema, output: outputSchema } = procedure;
  const schema = toJsonSchema(inputSchema, "input");
  const defs = schema.$defs ?? {};
  const input = resolve(schema, defs);
  const { [generationField]: generation, ...fields } = input.properties ?? {};
  const segments = rest.path.split("/").slice(1).map(toSegment);
  const inPath = new Set(segments.filter((segment) => segment.isField).map((segment) => segment.text));
  const pathFields = pick(fields, (name) => inPath.has(name));
  const others = pick(fields, (name) => !inPath.has(name));
  for (const name of inPath) if (!fields[name]) throw new Error(`${id}: its path names ${name}, its input does not.`);
  const hasBody = rest.method === "POST" || rest.method === "PATCH";
  return {
    ...rest,
    id,
    permissions: permissionsNeeded(meta),
    isOpen: meta.permission === "anyone",
    status: rest.status ?? 200,
    segments,
    input,
    defs,
    pathFields,
    queryFields: hasBody ? {} : mapValues(others, (schema) => asParameter(schema, defs)),
    bodyFields: hasBody ? others : {},
    hasBody: hasBody && Object.keys(others).length > 0,
    takesGeneration: generation !== undefined,
    isList: rest.method === "GET" && "cursor" in fields,
    volatileFields: rest.document ? null : findVolatileFields(toJsonSchema(outputSchema, "output")),
    inputSchema,
    outputSchema: rest.document?.schema ?? outputSchema,
  };
}

/** A filter that takes one value or several is a list in a query: ?phase=serving&phase=failed */
function asParameter(schema: JsonSchema, defs: Record<string, JsonSchema>): JsonSchema {
  const list = variants(schema, defs).find((each) => each.type === "array");
  return list ? { ...(schema.description ? { description: schema.description } : {}), ...list } : schema;
}

function mapValues<T>(record: Record<string, T>, map: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

function toSegment(text: string): { text: string; isField: boolean } {
  const field = /^\{(\w+)\}$/.exec(text)?.[1];
  return field ? { text: field, isField: true } : { text, isField: false };
}

function pick<T>(record: Record<string, T>, take: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => take(name)));
}
