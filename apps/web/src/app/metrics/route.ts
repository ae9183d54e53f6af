import { metrics } from "@/server/metrics.ts";

export const dynamic = "force-dynamic";

/** Prometheus text format. Values only: no names, no ids, no secrets. */
export async function GET(): Promise<Response> {
  return new Response(await metrics().all.page(), {
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
  });
}
