export const dynamic = "force-dynamic";

/** Liveness only. Readiness is /readyz: an unreachable database is no reason to restart the process. */
export function GET(): Response {
  return new Response("ok\n", {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
