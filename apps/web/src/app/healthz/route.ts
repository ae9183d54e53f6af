export const dynamic = "force-dynamic";

/** The process lives. Whether it can serve is for /readyz: a database that is away is no reason to be restarted. */
export function GET(): Response {
  return new Response("ok\n", {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
