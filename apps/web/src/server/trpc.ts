import { appRouter, maxBodyBytes } from "@fairlead/api";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { shownOrganizationHeader } from "../trpc/shown-organization.ts";
import { createContext } from "./context.ts";
import { feedHub } from "./feed-hub.ts";
import { metrics } from "./metrics.ts";

const endpoint = "/api/trpc";
const procedures: object = appRouter._def.procedures;

/** answerTrpc is the dashboard's side of the procedures. */
export async function answerTrpc(request: Request): Promise<Response> {
  const startedAt = performance.now();
  // Browsers always say how long a body is; without that it could go on for ever.
  if (request.method === "POST" && !(Number(request.headers.get("content-length") ?? Number.NaN) <= maxBodyBytes))
    return new Response("Too large.\n", { status: 413 });
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
  // A browser that keeps its connection would come back to this process, and keep it from stopping, again and again.
  if (feedHub().isClosed) response.headers.set("connection", "close");
  const labels = { route: routeOf(request), method: request.method, status: String(response.status) };
  metrics().requests.observe((performance.now() - startedAt) / 1_000, labels);
  if (response.status === 500) metrics().faults.add({ transport: "trpc" });
  return response;
}

/** A page names its organisation in a header, and in the URL of its stream: an EventSource sends no headers of ours. */
function shownOrganizationOf(request: Request, connection: Record<string, unknown> | null): string | undefined {
  const named = request.headers.get(shownOrganizationHeader) ?? connection?.[shownOrganizationHeader];
  return typeof named === "string" ? named : undefined;
}

/** Only names that exist become labels: a caller may ask for anything. */
function routeOf(request: Request): string {
  const name = new URL(request.url).pathname.slice(endpoint.length + 1);
  if (name.includes(",")) return `${endpoint}/batch`;
  return Object.hasOwn(procedures, name) ? `${endpoint}/${name}` : "none";
}
