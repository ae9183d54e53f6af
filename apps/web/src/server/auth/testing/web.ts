import { createServer } from "node:http";
import type { Db } from "@fairlead/db";
import { type Auth, createAuth } from "../create-auth.ts";
import { handleAuth } from "../handle-auth.ts";
import { startProviderSignIn } from "../start-provider-sign-in.ts";

export type AuthWeb = { url: string; auth: Auth; stop: () => Promise<void> };

/** startAuthWeb serves the sign-in routes of the web app over real HTTP, without a build of Next.js. */
export async function startAuthWeb(db: Db, secret: string, oidcEndpoints: readonly string[] = []): Promise<AuthWeb> {
  let handle: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 });
  const http = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      if (typeof value === "string") headers.set(name, value);
    const method = incoming.method ?? "GET";
    const body = method === "GET" ? null : Buffer.concat(chunks);
    const response = await handle(
      new Request(`http://${incoming.headers.host}${incoming.url}`, { method, headers, body }),
    );
    outgoing.statusCode = response.status;
    for (const [name, value] of response.headers) if (name !== "set-cookie") outgoing.setHeader(name, value);
    outgoing.setHeader("set-cookie", response.headers.getSetCookie());
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const auth = createAuth({ db, secret, url, oidcEndpoints });
  handle = async (request) => {
    const { pathname } = new URL(request.url);
    const [, provider] = /^\/sign-in\/with\/([^/]+)$/.exec(pathname) ?? [];
    if (provider) return startProviderSignIn(auth, url, provider, request);
    if (pathname.startsWith("/api/auth/")) return handleAuth(auth, request);
    return new Response(`page ${pathname}`);
  };
  return {
    url,
    auth,
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
