import type { JsonSchema } from "../rest/json-schema.ts";
import type { Operation } from "../rest/operation.ts";
import { header, refusals, refusalsOf, requestIdHeader } from "./responses.ts";

/** Its schemas already refer to the components. */
export type LinkedOperation = Operation & {
  linkedInput: JsonSchema;
  linkedOutput: JsonSchema;
  /** The operations on an object that this one returns. */
  followers: Operation[];
  isReadable: boolean;
};

const openToAll =
  "Open to anonymous clients, within a rate limit. An installation may require clients to be signed in.";

/** operationObject describes one operation, with every possible response. */
export function operationObject(operation: LinkedOperation): object {
  const { id, summary, tag, permissions, isOpen } = operation;
  const needs = permissions.map((each) => `\`${each}\``).join(", ");
  return {
    operationId: id,
    summary,
    description: needs ? `Needs ${needs}.` : isOpen ? openToAll : "Open to any signed-in user or API key.",
    tags: [tag],
    ...(isOpen ? { security: [{}, { apiKey: [] }, { session: [] }] } : {}),
    parameters: [...inputParameters(operation), ...headerParameters(operation)],
    ...(operation.hasBody ? { requestBody: requestBody(operation) } : {}),
    responses: {
      [operation.status]: success(operation),
      ...(operation.method === "GET"
        ? { 304: { description: "Unchanged since the given ETag.", headers: etagHeaders } }
        : {}),
      ...refusals(refusalsOf(operation)),
    },
  };
}

const etagHeaders = {
  ...requestIdHeader,
  ETag: header("Identifies this state of the answer. Send it as If-None-Match, or as If-Match with a change.", true),
};

/** inputParameters describes what an operation takes from its path and query. */
export function inputParameters({
  linkedInput,
  pathFields,
  queryFields,
}: Pick<LinkedOperation, "linkedInput" | "pathFields" | "queryFields">): object[] {
  const required = new Set(linkedInput.required);
  const parameter = (place: "path" | "query") => (name: string) => {
    const { description, ...schema } = linkedInput.properties?.[name] ?? {};
    return {
      name,
      in: place,
      required: place === "path" || required.has(name),
      ...(description ? { description } : {}),
      schema,
    };
  };
  return [...Object.keys(pathFields).map(parameter("path")), ...Object.keys(queryFields).map(parameter("query"))];
}

function headerParameters({ method, takesGeneration, status }: LinkedOperation): object[] {
  const parameters: object[] = [];
  if (method === "GET")
    parameters.push(
      optionalHeader("If-None-Match", "An earlier ETag: 304 if nothing changed but volatile fields.", {
        type: "string",
      }),
    );
  if (takesGeneration) {
    const schema = {
      type: "string",
      pattern: '^(\\*|(W/)?"[0-9]{1,15}([.][A-Za-z0-9_-]*)?")$',
      examples: ['"7.mJc3v1Yq0aXb2d4f"'],
    };
    parameters.push(
      optionalHeader("If-Match", "The ETag of the object as you read it: 412 if its spec was changed since.", schema),
    );
  }
  if (status === 201) {
    const schema = { type: "string", pattern: "^[!-~]{1,255}$", examples: ["2b1c0b52-7f4e-4a55-9b3b-5b0f3f0f6a1d"] };
    const description =
      "A key of your choice, such as a UUID. A repeat within 24 hours gets the first answer and creates nothing; the key of another request is rejected.";
    parameters.push(optionalHeader("Idempotency-Key", description, schema));
  }
  return parameters;
}

function optionalHeader(name: string, description: string, schema: object): object {
  return { name, in: "header", required: false, description, schema };
}

function requestBody({ linkedInput, bodyFields, pathFields, takesGeneration, example }: LinkedOperation): object {
  const names = Object.keys(bodyFields);
  const required = (linkedInput.required ?? []).filter((name) => names.includes(name));
  const isWhole = Object.keys(pathFields).length === 0 && !takesGeneration && linkedInput.$ref !== undefined;
  const schema = isWhole
    ? { $ref: linkedInput.$ref }
    : {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, linkedInput.properties?.[name] ?? {}])),
        ...(required.length > 0 ? { required } : {}),
        additionalProperties: false,
      };
  return {
    required: required.length > 0 || isWhole,
    content: { "application/json": { schema, ...(example ? { example } : {}) } },
  };
}

/** Links name the operations that take the id in a response. */
function links({ followers, isList }: LinkedOperation): object {
  const id = isList ? "$response.body#/items/0/id" : "$response.body#/id";
  return Object.fromEntries(followers.map((each) => [each.id, { operationId: each.id, parameters: { id } }]));
}

/** A document has a schema only as JSON: its YAML depends on the format. */
function contents({ document, linkedOutput }: LinkedOperation): object {
  const types = document?.types ?? ["application/json"];
  return Object.fromEntries(types.map((type) => [type, type === "application/json" ? { schema: linkedOutput } : {}]));
}

function success(operation: LinkedOperation): object {
  const { status, isList, isReadable } = operation;
  if (status === 204) return { description: "Done.", headers: requestIdHeader };
  const headers: Record<string, object> = { ...etagHeaders };
  if (operation.document) headers.Vary = header("The format depends on Accept.", true);
  if (isList) headers.Link = header('The next page, as rel="next"; absent on the last.');
  if (status === 201 && isReadable) headers.Location = header("Where to read it.", true);
  if (status === 201) headers["Idempotency-Replayed"] = header('"true" when this is the answer to an earlier request.');
  const description = status === 201 ? "Created." : "The result.";
  return {
    description,
    headers,
    content: contents(operation),
    ...(operation.followers.length > 0 ? { links: links(operation) } : {}),
  };
}
