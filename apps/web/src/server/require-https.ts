import { onEveryRequest } from "./on-every-request.ts";

const year = 365 * 24 * 3_600;

/**
 * requireHttps makes browsers use only HTTPS for a dashboard whose public URL has it, even if a user types the name
 * alone: otherwise the first request could be intercepted. Subdomains are not included, because they may be other
 * services.
 */
export function requireHttps(url: string): () => void {
  if (new URL(url).protocol !== "https:") return () => {};
  return onEveryRequest((_, response, next) => {
    response.setHeader("strict-transport-security", `max-age=${year}`);
    next();
  });
}
