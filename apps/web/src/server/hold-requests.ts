import { onEveryRequest } from "./on-every-request.ts";
import { writeRefusal } from "./write-refusal.ts";

// This module is loaded twice: by Node before Next.js, and in the bundle of Next.js.
const shared = globalThis as { fairleadIsGuarded?: boolean };

/**
 * holdRequests answers all requests with 503 until releaseRequests: Next.js listens before it loads the instrumentation
 * that adds the guards, so that the first requests would pass none of them.
 */
export function holdRequests(): () => void {
  return onEveryRequest((_, response, next) => {
    if (shared.fairleadIsGuarded) return next();
    writeRefusal(response, {
      status: 503,
      kind: "unavailable",
      title: "Not ready",
      detail: "The dashboard is starting. Try again in a second.",
      headers: { "retry-after": "1", connection: "close" },
    });
    response.end();
  });
}

/** releaseRequests serves requests from now on. */
export function releaseRequests(): void {
  shared.fairleadIsGuarded = true;
}
