import { serveFetch } from "@fairlead/api/testing";

export type Recorded = { request: string; status: number; text: string; isJson: boolean };

/** record forwards requests to a server and keeps its responses. */
export async function record(
  server: string,
): Promise<{ url: string; take: () => Recorded[]; close: () => Promise<void> }> {
  let responses: Recorded[] = [];
  const served = await serveFetch(async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of ["host", "connection", "content-length", "transfer-encoding", "upgrade", "http2-settings"])
      headers.delete(name);
    headers.set("accept-encoding", "identity");
    const body = ["GET", "HEAD"].includes(request.method) ? undefined : await request.arrayBuffer();
    const response = await fetch(`${server}${pathname}${search}`, {
      method: request.method,
      headers,
      ...(body ? { body } : {}),
    });
    const text = await response.text();
    const { status } = response;
    const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
    responses.push({ request: `${request.method} ${pathname}${search}`, status, text, isJson });
    const kept = new Headers(response.headers);
    for (const name of ["connection", "transfer-encoding", "content-length", "keep-alive"]) kept.delete(name);
    return new Response(status === 204 ? null : text, { status, headers: kept });
  });
  return {
    url: served.url,
    take() {
      const taken = responses;
      responses = [];
      return taken;
    },
    close: served.close,
  };
}
