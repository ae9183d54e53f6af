import { type NextRequest, NextResponse } from "next/server";
import { isDevelopment } from "./env.ts";

/**
 * proxy gives every page a content security policy with its own nonce. It also passes the path to the page, because a
 * layout can't read it (it redirects signed-out users to sign-in and back).
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const policy = contentSecurityPolicy(nonce, request.nextUrl.protocol === "https:");
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-path", request.nextUrl.pathname + request.nextUrl.search);
  headers.set("content-security-policy", policy);

  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

function contentSecurityPolicy(nonce: string, isHttps: boolean): string {
  // In development, React explains errors with eval, and the dev tools style themselves. Production needs neither.
  const evaluate = isDevelopment ? " 'unsafe-eval'" : "";
  const styles = isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluate}`,
    `style-src 'self' ${styles}`,
    // Rows of a virtual table are positioned by style attributes, which can't load or run anything.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isHttps ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

export const config = {
  matcher: [{ source: "/((?!api/|_next/static|_next/image|healthz|readyz|metrics|download/|favicon|icon).*)" }],
};
