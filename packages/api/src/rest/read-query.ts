import { type JsonSchema, variants } from "./json-schema.ts";
import type { Operation } from "./operation.ts";
import { type FieldError, RestError } from "./problem.ts";

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
// A bound on work, far above what any of our lists accepts.
const maxParameters = 200;

/**
 * readQuery converts text to the type in the schema of each parameter. A value that does not fit stays text: the schema
 * reports why it is wrong.
 */
export function readQuery(operation: Operation, params: URLSearchParams): Record<string, unknown> {
  const errors: FieldError[] = [];
  const input: Record<string, unknown> = {};
  const names = [...new Set(params.keys())];
  if (params.size > maxParameters) throw new RestError("malformed", `At most ${maxParameters} query parameters.`);
  for (const name of names) {
    const schema = Object.hasOwn(operation.queryFields, name) ? operation.queryFields[name] : undefined;
    const texts = params.getAll(name);
    if (!schema) errors.push({ in: "query", name, message: unknownParameter(operation) });
    else if (texts.length > 1 && schema.type !== "array")
      errors.push({ in: "query", name, message: "given more than once" });
    else input[name] = readValues(schema, texts, operation);
  }
  const [first] = errors;
  if (first) throw new RestError("malformed", `The query parameter ${first.name}: ${first.message}.`, { errors });
  return input;
}

function unknownParameter(operation: Operation): string {
  const known = Object.keys(operation.queryFields);
  return known.length > 0
    ? `there is no such parameter here; known are ${known.join(", ")}`
    : "this takes no parameters";
}

function readValues(schema: JsonSchema, texts: string[], operation: Operation): unknown {
  if (schema.type === "array") return texts.map((text) => readValue(schema.items ?? {}, text, operation));
  return readValue(schema, texts[0] ?? "", operation);
}

function readValue(schema: JsonSchema, text: string, operation: Operation): unknown {
  const types = new Set(variants(schema, operation.defs).map((each) => each.type));
  if ((types.has("integer") || types.has("number")) && number.test(text)) return Number(text);
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}
