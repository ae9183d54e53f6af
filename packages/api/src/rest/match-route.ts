import type { Operation } from "./operation.ts";

export type RouteMatch = {
  operation: Operation | undefined;
  /** The methods of the path; none when there is no such path. */
  allowed: string[];
  params: Record<string, string>;
};

export type RouteTable = { byShape: Map<string, Operation[]> };

// Paths have few segments, so fields can be tried by position: exact text first.
const field = "{}";

export function compileRoutes(operations: Operation[]): RouteTable {
  const byShape = Map.groupBy(operations, (operation) =>
    operation.segments.map((segment) => (segment.isField ? field : segment.text)).join("/"),
  );
  return { byShape };
}

/** matchRoute finds the operation for a path. "/exposures/plan" comes before "/exposures/{id}". */
export function matchRoute(table: RouteTable, method: string, parts: string[]): RouteMatch {
  const operations = findPath(table, parts);
  const [first] = operations;
  if (!first) return { operation: undefined, allowed: [], params: {} };
  const wanted = method === "HEAD" ? "GET" : method;
  return {
    operation: operations.find((each) => each.method === wanted),
    allowed: allowedMethods(operations.map((each) => each.method)),
    params: readParams(first, parts),
  };
}

export function allowedMethods(methods: string[]): string[] {
  return [...(methods.includes("GET") ? ["GET", "HEAD"] : []), ...methods.filter((each) => each !== "GET"), "OPTIONS"];
}

function findPath(table: RouteTable, parts: string[]): Operation[] {
  for (const shape of shapes(parts)) {
    const operations = table.byShape.get(shape);
    if (operations) return operations;
  }
  return [];
}

/** At most one segment of our paths is a field. */
function shapes(parts: string[]): string[] {
  return [parts.join("/"), ...parts.flatMap((part, i) => (part === "" ? [] : [parts.with(i, field).join("/")]))];
}

function readParams(operation: Operation, parts: string[]): Record<string, string> {
  return Object.fromEntries(
    operation.segments.flatMap((segment, i) => (segment.isField ? [[segment.text, parts[i] ?? ""]] : [])),
  );
}
