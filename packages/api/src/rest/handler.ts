import { DomainError } from "@fairlead/domain";
import { TRPCError } from "@trpc/server";
import type { ApiContext } from "../context.ts";
import { openApiDocument } from "../openapi/document.ts";
import { appRouter } from "../root.ts";
import { translateError } from "../translate-error.ts";
import { entityTag, isUnchanged } from "./entity-tag.ts";
import type { StreamOptions } from "./event-stream.ts";
import { auditExport, exportAudit } from "./export-audit.ts";
import { costExport, exportCosts } from "./export-costs.ts";
import { allowedMethods, compileRoutes, matchRoute } from "./match-route.ts";
import { compileOperations, type Operation } from "./operation.ts";
import { perform } from "./perform.ts";
import { problemResponse, RestError, toRestError } from "./problem.ts";
import { locate } from "./read-input.ts";
import { respond } from "./respond.ts";
import { pickType } from "./rest-document.ts";
import { streamChanges } from "./stream-changes.ts";
import { choiceStreamPath, streamChoice } from "./stream-choice.ts";
import { mapStreamPath, streamMap } from "./stream-map.ts";

export const basePath = "/api/v1";

export type RestOptions = {
  createContext: (request: Request) => ApiContext;
  stream?: StreamOptions;
  onAnswer?: (answer: RestAnswer) => void;
};

/** One answered request, for metrics: the route's pattern, never the path, which would create a series per object. */
export type RestAnswer = { route: string; method: string; status: number; durationMs: number };

type Endpoint =
  | { kind: "operation"; operation: Operation; params: Record<string, string> }
  | { kind: "changes" | "document" | "audit-export" | "cost-export" | "options"; allowed: string[] }
  | { kind: "map-stream"; exposureId: string }
  | { kind: "choice-stream"; operation: Operation };

/** restHandler serves everything under /api/v1 from the procedures of the router. */
export function restHandler(options: RestOptions): (request: Request) => Promise<Response> {
  const operations = compileOperations(appRouter);
  const routes = compileRoutes(operations);
  const readable = new Set(operations.filter((each) => each.method === "GET").map((each) => each.path));
  const choosing = operations.find(({ id }) => id === "choice.choose");
  const document = lazy(() => JSON.stringify(openApiDocument()));

  function findEndpoint(request: Request, url: URL): Endpoint {
    const parts = pathParts(url);
    const exposureId = mapStreamOf(parts);
    const chooses = `/${parts.join("/")}` === choiceStreamPath ? choosing : undefined;
    const kind = specials.get(parts.join("/"));
    const special = exposureId !== null || kind !== undefined || chooses !== undefined;
    const match = special
      ? { operation: undefined, allowed: allowedMethods([chooses ? "POST" : "GET"]), params: {} }
      : matchRoute(routes, request.method, parts);
    const { operation, allowed, params } = match;
    if (allowed.length === 0)
      throw new RestError(
        "no-such-path",
        `There is nothing at ${url.pathname}. All paths are in ${basePath}/openapi.json.`,
      );
    if (request.method === "OPTIONS") return { kind: "options", allowed };
    if (operation) return { kind: "operation", operation, params };
    if (chooses && request.method === "POST") return { kind: "choice-stream", operation: chooses };
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (exposureId !== null && isRead) return { kind: "map-stream", exposureId };
    if (kind !== undefined && isRead) return { kind, allowed };
    throw new RestError(
      "method-not-allowed",
      `${request.method} is not supported by this path; it supports ${allowed.join(", ")}.`,
      {
        headers: { allow: allowed.join(", ") },
      },
    );
  }

  async function answer(request: Request, url: URL, ctx: ApiContext, endpoint: Endpoint): Promise<Response> {
    switch (endpoint.kind) {
      case "options":
        return new Response(null, { status: 204, headers: { allow: endpoint.allowed.join(", ") } });
      case "document":
        return answerDocument(request, document(), ctx.requestId);
      case "audit-export":
        return exportAudit(ctx, request, url);
      case "cost-export":
        return exportCosts(ctx, request, url);
      case "changes":
        return streamChanges(ctx, request, url, options.stream ?? {});
      case "map-stream":
        return streamMap(ctx, request, url, endpoint.exposureId, options.stream ?? {});
      case "choice-stream":
        return streamChoice(ctx, request, url, endpoint.operation, options.stream ?? {});
      case "operation": {
        const { operation, params } = endpoint;
        // An answer without content is in no format, so clients that can read only problems may call it.
        const accept = operation.status === 204 ? null : request.headers.get("accept");
        const type = pickType(accept, operation.document?.types ?? ["application/json"]);
        const result = await perform({ ctx, operation, request, params, query: url.searchParams });
        const isReadable = readable.has(`${operation.path}/{id}`);
        return respond({ operation, request, url, basePath, requestId: ctx.requestId, isReadable, type }, result);
      }
      default:
        return endpoint satisfies never;
    }
  }

  return async (request) => {
    const startedAt = performance.now();
    const url = new URL(request.url);
    const ctx = options.createContext(request);
    let endpoint: Endpoint | undefined;
    let response: Response;
    try {
      endpoint = findEndpoint(request, url);
      response = await answer(request, url, ctx, endpoint);
    } catch (error) {
      const operation = operationOf(endpoint);
      response = problemResponse(explain(error, ctx, operation), ctx.requestId);
    }
    const durationMs = performance.now() - startedAt;
    options.onAnswer?.({ route: routeOf(endpoint), method: request.method, status: response.status, durationMs });
    return request.method === "HEAD" && response.body ? new Response(null, response) : response;
  };
}

/**
 * explain turns any thrown error into a refusal. An unexpected one was logged where it was translated, or is logged
 * here.
 */
function explain(error: unknown, ctx: ApiContext, operation: Operation | undefined): RestError {
  if (error instanceof RestError) return error;
  const where = { requestId: ctx.requestId, operation: operation?.id ?? "rest" };
  const known = error instanceof TRPCError ? error : translateError(error, where, ctx.reportFault);
  if (!(known.cause instanceof DomainError)) return new RestError("broken", known.message);
  return toRestError(known.cause, (path) => (operation ? locate(operation, path) : { in: "body", pointer: "#" }));
}

/** The paths that are not procedures. */
const specials = new Map([
  ["changes", "changes"],
  ["openapi.json", "document"],
  [auditExport.path.slice(1), "audit-export"],
  [costExport.path.slice(1), "cost-export"],
] as const satisfies [string, Endpoint["kind"]][]);

function operationOf(endpoint: Endpoint | undefined): Operation | undefined {
  if (endpoint?.kind === "audit-export") return auditExport;
  if (endpoint?.kind === "cost-export") return costExport;
  return endpoint && "operation" in endpoint ? endpoint.operation : undefined;
}

function routeOf(endpoint: Endpoint | undefined): string {
  if (endpoint?.kind === "choice-stream") return `${basePath}${choiceStreamPath}`;
  const operation = operationOf(endpoint);
  if (operation) return `${basePath}${operation.path}`;
  if (endpoint?.kind === "map-stream") return `${basePath}${mapStreamPath}`;
  return endpoint ? `${basePath}/${endpoint.kind}` : "none";
}

function pathParts(url: URL): string[] {
  try {
    return url.pathname.slice(basePath.length).split("/").slice(1).map(decodeURIComponent);
  } catch {
    throw new RestError("malformed", "The path contains an invalid escape sequence such as %zz.");
  }
}

/** "/exposures/{id}/mappings/stream" is not a procedure, and neither is "/changes". */
function mapStreamOf([noun, id = "", part, way, ...rest]: string[]): string | null {
  return noun === "exposures" && id !== "" && part === "mappings" && way === "stream" && rest.length === 0 ? id : null;
}

function answerDocument(request: Request, text: string, requestId: string): Response {
  pickType(request.headers.get("accept"), ["application/json"]);
  const tag = entityTag(null, text);
  const headers = { etag: tag, "cache-control": "public, max-age=60", "x-request-id": requestId };
  if (isUnchanged(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "content-type": "application/json" } });
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
