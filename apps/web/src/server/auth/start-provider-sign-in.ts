import type { Auth } from "./create-auth.ts";
import { safePath } from "./safe-path.ts";

/**
 * startProviderSignIn redirects a browser to an identity provider. It is a link and not a form, because the content
 * security policy blocks forms that end on another site.
 */
export async function startProviderSignIn(
  auth: Auth,
  ownUrl: string,
  provider: string,
  request: Request,
): Promise<Response> {
  const returnTo = safePath(new URL(request.url).searchParams.get("returnTo"));
  const started = await auth.handler(
    new Request(`${ownUrl}/api/auth/sign-in/sso`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: new URL(ownUrl).origin },
      body: JSON.stringify({ providerId: provider, callbackURL: returnTo, errorCallbackURL: "/sign-in" }),
    }),
  );
  const answer = (await started.json().catch(() => null)) as { url?: string } | null;
  if (!started.ok || !answer?.url) return redirect(`${ownUrl}/sign-in?error=provider_unavailable`);
  const response = redirect(answer.url);
  for (const cookie of started.headers.getSetCookie()) response.headers.append("set-cookie", cookie);
  return response;
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}
