import type { Auth } from "./create-auth.ts";

// better-auth has many more endpoints (change of email address, updates of users, …). Unused ones are closed.
const open: [method: string, path: RegExp][] = [
  ["POST", /^\/api\/auth\/sign-in\/email$/],
  ["POST", /^\/api\/auth\/sign-out$/],
  ["GET", /^\/api\/auth\/get-session$/],
  ["GET", /^\/api\/auth\/sso\/callback\/[a-z0-9._-]+$/],
];

/** handleAuth serves the better-auth endpoints that browsers need, and no others. */
export async function handleAuth(auth: Auth, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isOpen = open.some(([method, path]) => method === request.method && path.test(pathname));
  if (!isOpen) return Response.json({ message: "Endpoint not found." }, { status: 404 });
  return withoutToken(await auth.handler(request));
}

/**
 * better-auth also returns the session token in the response body. It belongs only in the cookie, which scripts can't
 * read.
 */
async function withoutToken(response: Response): Promise<Response> {
  const body = await response.clone().text();
  if (!body || !response.headers.get("content-type")?.startsWith("application/json")) return response;
  const redacted = JSON.stringify(JSON.parse(body), (name, value) => (name === "token" ? undefined : value));
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(redacted, { status: response.status, headers });
}
