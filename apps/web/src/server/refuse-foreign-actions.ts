import { isOwnRequest } from "./check-same-origin.ts";
import { onEveryRequest } from "./on-every-request.ts";
import { writeRefusal } from "./write-refusal.ts";

/**
 * refuseForeignActions refuses the form of another site. Pages accept only forms, which are server actions: Next.js compares
 * just the host names, and accepts an action without an origin. The routes of /api check it themselves, where a key counts.
 */
export function refuseForeignActions(url: string): () => void {
  return onEveryRequest(({ method = "GET", url: path = "", headers }, response, next) => {
    const relevant = new Headers();
    for (const name of ["origin", "sec-fetch-site", "host"]) {
      const value = headers[name];
      if (typeof value === "string") relevant.set(name, value);
    }
    if (path.startsWith("/api/") || isOwnRequest(method, relevant, url)) return next();
    writeRefusal(response, {
      status: 403,
      kind: "forbidden",
      title: "Not allowed",
      detail: `Forms are only accepted from ${url}.`,
      headers: { connection: "close" },
    });
    response.end();
  });
}
