import { choicePermissions } from "@fairlead/services";
import { auditExport } from "../rest/export-audit.ts";
import { costExport } from "../rest/export-costs.ts";
import type { JsonSchema } from "../rest/json-schema.ts";
import type { Operation } from "../rest/operation.ts";
import { inputParameters } from "./operation-object.ts";
import { header, refusals, refusalsOf, requestIdHeader } from "./responses.ts";

// The paths that are not procedures.

export const changesPath = {
  operationId: "live.changes",
  summary: "Follow what changes",
  description:
    "A stream of server-sent events. The event is the `type` of a LiveMessage, the data its other fields, the id a cursor. After a cut the browser's EventSource sends the last id back as Last-Event-ID, and nothing is missed; other clients may give it as `after`. Needs the permission `event:read`.",
  tags: ["Live"],
  parameters: [
    {
      name: "after",
      in: "query",
      required: false,
      description: "The id of the last event that arrived.",
      schema: { type: "string", maxLength: 64 },
    },
    {
      name: "Last-Event-ID",
      in: "header",
      required: false,
      description: "The same as `after`, and takes precedence.",
      schema: { type: "string", maxLength: 64 },
    },
  ],
  responses: {
    200: {
      description: "The stream. It continues until you, the server or your session ends it.",
      headers: requestIdHeader,
      content: {
        "text/event-stream": {
          schema: { type: "string" },
          example:
            'id: 4711.mi7k2c9p\nevent: change\ndata: {"subjectKind":"exposure","subjectId":"exp_01kav3x0zq8w4m2n6r5t7y9b1c","clusterId":null}\n\n',
        },
      },
    },
    ...refusals([
      "malformed",
      "unauthenticated",
      "forbidden",
      "not-acceptable",
      "invalid",
      "rate-limited",
      "broken",
      "unavailable",
    ]),
  },
};

const file = { type: "string", format: "binary" };
const apostrophes =
  "In CSV, a cell that starts with `=`, `+`, `-`, `@`, a tab or a carriage return has an apostrophe before it, so that spreadsheets don't run it as a formula.";

/** auditExportPath describes the export, whose parameters are those of its schema. */
export function auditExportPath(linkedInput: JsonSchema) {
  return exportPath(auditExport, linkedInput, {
    description: `All entries that match, as a file that is streamed: CSV with a header line, or one AuditEntry a line as JSON. A connection that is cut off before the end is an incomplete file. ${apostrophes} Needs \`audit:read\`.`,
    mediaTypes: ["text/csv", "application/x-ndjson"],
  });
}

/** costExportPath describes the export of costs. */
export function costExportPath(linkedInput: JsonSchema) {
  return exportPath(costExport, linkedInput, {
    description: `What each load balancer cost, as a CSV file that is streamed, with a header line. The sums are those of \`GET /costs\`, and estimates like those: usage at the price of its hour. With \`format=focus\`, each line is one charge in the columns of FOCUS 1.2, and unknown costs have no line. A connection that is cut off before the end is an incomplete file. ${apostrophes} Needs \`exposure:read\` and \`series:read\`.`,
    mediaTypes: ["text/csv"],
  });
}

function exportPath(
  operation: Operation,
  linkedInput: JsonSchema,
  { description, mediaTypes }: { description: string; mediaTypes: string[] },
) {
  return {
    operationId: operation.id,
    summary: operation.summary,
    description,
    tags: [operation.tag],
    parameters: inputParameters({ ...operation, linkedInput }),
    responses: {
      200: {
        description: "The file.",
        headers: { ...requestIdHeader, "Content-Disposition": header("The name of the file.", true) },
        content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: file }])),
      },
      ...refusals(refusalsOf(operation)),
    },
  };
}

export const mapStreamPathItem = {
  operationId: "addressMap.stream",
  summary: "Follow the address map of an exposure",
  description:
    "A stream of server-sent events: the whole map as the event `map`, then each newer whole map. The id of an event is the map's generation. A client that resumes with it, as Last-Event-ID or `after`, gets `unchanged` when there is no newer one yet. `gone` means that the exposure is deleted. Needs the permission `map:read`.",
  tags: ["Address maps"],
  parameters: [
    { name: "id", in: "path", required: true, schema: { type: "string", pattern: "^exp_[0-9a-z]{1,40}$" } },
    {
      name: "after",
      in: "query",
      required: false,
      description: "The generation of the last map that arrived.",
      schema: { type: "integer", minimum: 0, maximum: 2_147_483_647 },
    },
    {
      name: "Last-Event-ID",
      in: "header",
      required: false,
      description: "The same as `after`, and takes precedence.",
      schema: { type: "string", pattern: "^[0-9]{1,10}$" },
    },
  ],
  responses: {
    200: {
      description: "The stream. It continues until you, the server, your session or the exposure ends.",
      headers: requestIdHeader,
      content: {
        "text/event-stream": {
          schema: { type: "string" },
          example:
            'id: 7\nevent: map\ndata: {"exposureId":"exp_01kav3x0zq8w4m2n6r5t7y9b1c","generation":7,"observedAt":"2026-01-31T12:00:00.000Z","entries":[]}\n\n',
        },
      },
    },
    ...refusals([
      "malformed",
      "unauthenticated",
      "forbidden",
      "not-found",
      "not-acceptable",
      "invalid",
      "rate-limited",
      "broken",
      "unavailable",
    ]),
  },
};

export const choiceStreamPathItem = {
  operationId: "choice.stream",
  summary: "Follow a choice",
  description: `A stream of server-sent events: the whole Choice as the event \`choice\`, then each later one with another state. The id of an event is that state. A client that resumes sends it as \`after\`, with \`settled\` of that choice as \`previous\`, and gets \`unchanged\` while the choice still has it. Needs ${choicePermissions.map((each) => `\`${each}\``).join(", ")}.`,
  tags: ["Choices"],
  requestBody: {
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Choose" } } },
  },
  responses: {
    200: {
      description: "The stream. It continues until you, the server or your session ends it.",
      headers: requestIdHeader,
      content: {
        "text/event-stream": {
          schema: { type: "string" },
          example:
            'id: mJc3v1Yq0aXb2d4f\nevent: choice\ndata: {"state":"mJc3v1Yq0aXb2d4f","winner":null,"items":[]}\n\n',
        },
      },
    },
    ...refusals([
      "malformed",
      "unauthenticated",
      "forbidden",
      "not-found",
      "not-acceptable",
      "too-large",
      "unsupported-media-type",
      "invalid",
      "rate-limited",
      "broken",
      "unavailable",
    ]),
  },
};

export const documentPath = {
  operationId: "openapi",
  summary: "Read this document",
  tags: ["Document"],
  security: [],
  responses: {
    200: {
      description: "This document.",
      headers: { ...requestIdHeader, ETag: header("Identifies this state of the document.", true) },
      content: { "application/json": { schema: { type: "object" } } },
    },
    ...refusals(["not-acceptable", "broken"]),
  },
};
