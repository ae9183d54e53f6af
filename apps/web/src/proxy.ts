import { type NextRequest, NextResponse } from "next/server";
import { isDevelopment } from "./env.ts";

/**
 * proxy gives every page a content security policy with a nonce of its own, and tells the page its path, which
 * a layout can't learn otherwise (it sends a person who is signed out back to where they wanted to go).
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
  // In development React explains errors with eval, and the tools in the corner style themselves. In production neither.
  const evaluate = isDevelopment ? " 'unsafe-eval'" : "";
  const styles = isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluate}`,
    `style-src 'self' ${styles}`,
    // Rows of a virtual table are placed by style attributes. Those can't load or run anything.
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
  matcher: [{ source: "/((?!api/|_next/static|_next/image|healthz|readyz|metrics|favicon|icon).*)" }],
};
