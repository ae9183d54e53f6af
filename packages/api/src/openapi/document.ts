import { liveMessage } from "../live/message.ts";
import { auditExport } from "../rest/export-audit.ts";
import { costExport } from "../rest/export-costs.ts";
import type { JsonSchema } from "../rest/json-schema.ts";
import { compileOperations, type Operation } from "../rest/operation.ts";
import { problem } from "../rest/problem.ts";
import { choiceStreamPath } from "../rest/stream-choice.ts";
import { mapStreamPath } from "../rest/stream-map.ts";
import { appRouter } from "../root.ts";
import { SchemaComponents } from "./components.ts";
import { type LinkedOperation, operationObject } from "./operation-object.ts";
import { problemResponses } from "./responses.ts";
import {
  auditExportPath,
  changesPath,
  choiceStreamPathItem,
  costExportPath,
  documentPath,
  mapStreamPathItem,
} from "./special-paths.ts";
import { tagDescriptions } from "./tags.ts";

const description = `The same verbs as the dashboard's, as REST.

**Authentication.** Send an API key as \`Authorization: Bearer fl_…\`. Browsers that are signed in may use their session cookie.

**Lists** are pages of \`limit\` rows. Follow \`nextCursor\`, or the \`Link\` header, until it is null. A filter may be repeated to allow several values.

**Changes** can be guarded: read an object, send its \`ETag\` back as \`If-Match\`, and get 412 if its spec was changed meanwhile; its status may change. Send an \`Idempotency-Key\` with a create and a repeat is safe.

**Polls** are cheap: send the \`ETag\` back as \`If-None-Match\`, and get 304 while the state is the same. Fields marked \`x-volatile\`, such as \`observedAt\` and measured figures, don't change the \`ETag\`; it is weak where an answer has such fields.

**Times** are RFC 3339, from 1970 to 2199. **Prefixes** have no host bits: 192.0.2.0/24.

**Errors** are problems (RFC 9457): \`detail\` describes what to do, \`errors\` names the invalid fields.

**Live**: \`GET /changes\` is a stream of server-sent events that names the objects that changed.

**Address maps** are JSON or YAML, by \`Accept\`. Their \`ETag\` names the generation; \`?wait=30s&after=…\` waits for another one, and \`/exposures/{id}/mappings/stream\` sends each.

**Choices** are watched alike: \`wait\` and \`after\` in the body, or \`POST /choose/stream\`.`;

/**
 * openApiDocument describes everything under /api/v1. It is generated from the procedures, so it can't drift from them.
 */
export function openApiDocument(): object {
  const components = new SchemaComponents();
  components.add(problem, "output");
  components.add(liveMessage, "output");
  const operations = compileOperations(appRouter);
  const readable = new Set(operations.filter((each) => each.method === "GET").map((each) => each.path));
  const auditInput = components.add(auditExport.inputSchema, "input");
  const costInput = components.add(costExport.inputSchema, "input");
  const added = operations.map((operation) => ({
    operation,
    input: components.add(operation.inputSchema, "input"),
    output: components.add(operation.outputSchema, "output"),
  }));

  const paths: Record<string, Record<string, object>> = {};
  for (const { operation, input, output } of added) {
    const linked: LinkedOperation = {
      ...operation,
      linkedInput: components.link(withFields(operation, input), "input"),
      linkedOutput: components.link(output, "output"),
      followers: operations.filter((each) => each.path.startsWith(`${operation.path}/{id}`)),
      isReadable: readable.has(`${operation.path}/{id}`),
    };
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: operationObject(linked) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Fairlead",
      version: "1",
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/api/v1" }],
    tags: [...new Set(operations.map((each) => each.tag)), "Live", "Document"].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    security: [{ apiKey: [] }, { session: [] }],
    paths: {
      ...paths,
      [auditExport.path]: { get: auditExportPath(components.link(withFields(auditExport, auditInput), "input")) },
      [costExport.path]: { get: costExportPath(components.link(withFields(costExport, costInput), "input")) },
      [choiceStreamPath]: { post: choiceStreamPathItem },
      [mapStreamPath]: { get: mapStreamPathItem },
      "/changes": { get: changesPath },
      "/openapi.json": { get: documentPath },
    },
    components: {
      schemas: components.all(),
      responses: problemResponses(),
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", bearerFormat: "fl_…", description: "An API key, from Settings." },
        session: { type: "apiKey", in: "cookie", name: "fairlead.session_token", description: "Set by signing in." },
      },
    },
  };
}

/** Parameters need an input's fields; a body refers to it by name. */
function withFields(operation: Operation, input: JsonSchema): JsonSchema {
  const { properties, required } = operation.input;
  return {
    ...input,
    properties: { ...properties, ...operation.queryFields },
    ...(required ? { required } : {}),
  };
}
