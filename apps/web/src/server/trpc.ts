import { appRouter } from "@fairlead/api";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { shownOrganizationHeader } from "../trpc/shown-organization.ts";
import { createContext } from "./context.ts";
import { feedHub } from "./feed-hub.ts";
import { leaveSmall } from "./leave-small.ts";
import { metrics } from "./metrics.ts";

const endpoint = "/api/trpc";
const procedures: object = appRouter._def.procedures;

/** answerTrpc serves the procedures to the dashboard. */
export async function answerTrpc(request: Request): Promise<Response> {
  const startedAt = performance.now();
  const response = await fetchRequestHandler({
    endpoint,
    req: request,
    router: appRouter,
    maxBatchSize: 20,
    createContext: ({ info }) => {
      const shownOrganizationId = shownOrganizationOf(request, info.connectionParams);
      return { ...createContext(request), ...(shownOrganizationId === undefined ? {} : { shownOrganizationId }) };
    },
  });
  // A browser that reuses its connection would return to this process again and again, and keep it from stopping.
  if (feedHub().isClosed) response.headers.set("connection", "close");
  const labels = { route: routeOf(request), method: request.method, status: String(response.status) };
  metrics().requests.observe((performance.now() - startedAt) / 1_000, labels);
  if (response.status === 500) metrics().faults.add({ transport: "trpc" });
  return leaveSmall(response);
}

/**
 * A page sends its organisation in a header, and in the URL of its stream: an EventSource can't send custom headers.
 */
function shownOrganizationOf(request: Request, connection: Record<string, unknown> | null): string | undefined {
  const named = request.headers.get(shownOrganizationHeader) ?? connection?.[shownOrganizationHeader];
  return typeof named === "string" ? named : undefined;
}

/** Only existing names become labels, because a caller can send any name. */
function routeOf(request: Request): string {
  const name = new URL(request.url).pathname.slice(endpoint.length + 1);
  if (name.includes(",")) return `${endpoint}/batch`;
  return Object.hasOwn(procedures, name) ? `${endpoint}/${name}` : "none";
}
