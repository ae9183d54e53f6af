import type { Auth } from "./create-auth.ts";

// better-auth has many more endpoints (change of e-mail address, updates of users, …). What isn't used isn't open.
const open: [method: string, path: RegExp][] = [
  ["POST", /^\/api\/auth\/sign-in\/email$/],
  ["POST", /^\/api\/auth\/sign-out$/],
  ["GET", /^\/api\/auth\/get-session$/],
  ["GET", /^\/api\/auth\/sso\/callback\/[a-z0-9-]+$/],
];

/** handleAuth answers what browsers may ask of better-auth, and nothing else. */
export async function handleAuth(auth: Auth, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isOpen = open.some(([method, path]) => method === request.method && path.test(pathname));
  if (!isOpen) return Response.json({ message: "There is no such endpoint." }, { status: 404 });
  return withoutToken(await auth.handler(request));
}

/** better-auth puts the session's token into what it answers as well. The cookie is its place: scripts can't read that. */
async function withoutToken(response: Response): Promise<Response> {
  const said = await response.clone().text();
  if (!said || !response.headers.get("content-type")?.startsWith("application/json")) return response;
  const shown = JSON.stringify(JSON.parse(said), (name, value) => (name === "token" ? undefined : value));
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(shown, { status: response.status, headers });
}
