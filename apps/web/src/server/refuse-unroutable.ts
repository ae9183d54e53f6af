import { onEveryRequest } from "./on-every-request.ts";
import { type Refusal, writeRefusal } from "./write-refusal.ts";

const routable = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * refuseUnroutable answers requests that Next.js fails on before it calls a route: an unknown method (TRACE returns
 * 500, QUERY a bare 400), and a path that can't be decoded.
 */
export function refuseUnroutable(): () => void {
  return onEveryRequest((request, response, next) => {
    const refusal = refusalOf(request.method ?? "", request.url ?? "");
    if (!refusal) return next();
    writeRefusal(response, refusal);
    response.end();
  });
}

export function refusalOf(method: string, url: string): Refusal | null {
  if (!routable.includes(method)) {
    const detail = `${method} is not supported.`;
    const headers = { allow: routable.join(", ") };
    return {
      status: 405,
      kind: "method-not-allowed",
      title: "This path does not support that method",
      detail,
      headers,
    };
  }
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return null;
  } catch {
    const detail = "The path contains an invalid escape sequence such as %zz.";
    return { status: 400, kind: "malformed", title: "The request can't be read", detail, headers: {} };
  }
}
