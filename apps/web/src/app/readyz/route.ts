import { findTrouble } from "@/server/ready.ts";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  const detail = await findTrouble();
  const headers = { "cache-control": "no-store" };
  if (!detail) return new Response("ready\n", { headers: { ...headers, "content-type": "text/plain; charset=utf-8" } });
  const problem = { type: "urn:fairlead:problem:unavailable", title: "Not ready", status: 503, detail };
  return new Response(JSON.stringify(problem), {
    status: 503,
    headers: { ...headers, "content-type": "application/problem+json", "retry-after": "2" },
  });
}
