import { restHandler } from "@fairlead/api";
import { createContext } from "./context.ts";
import { leaveSmall } from "./leave-small.ts";
import { metrics } from "./metrics.ts";

let handler: ((request: Request) => Promise<Response>) | undefined;

/** rest serves everything under /api/v1. It is compiled on first use, because a build has no environment. */
export async function rest(request: Request): Promise<Response> {
  handler ??= restHandler({
    createContext,
    onAnswer({ route, method, status, durationMs }) {
      metrics().requests.observe(durationMs / 1_000, { route, method, status: String(status) });
      if (status === 500) metrics().faults.add({ transport: "rest" });
    },
  });
  return leaveSmall(await handler(request));
}
