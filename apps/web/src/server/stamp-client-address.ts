import { randomUUID } from "node:crypto";
import { clientAddressOf, readProxies } from "@fairlead/domain/access";
import { env } from "../env.ts";
import { onEveryRequest } from "./on-every-request.ts";

// Next.js may load this module several times in one process, but there must be one name.
const kept = globalThis as { fairleadClientHeader?: string };

/**
 * stampClientAddress stores the client address of every request in a header with a secret name: a Next.js route sees only
 * headers, and clients can write those.
 */
export function stampClientAddress(): void {
  const name = `x-fairlead-client-${randomUUID()}`;
  const read = readProxies(env().trustedProxies);
  // The launcher refuses to start with an invalid value. Trusting no proxy is the safe fallback.
  const trusted = "problem" in read ? [] : read;
  onEveryRequest(({ headers, socket }, _, next) => {
    const forwarded = headers["x-forwarded-for"];
    const text = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
    const address = clientAddressOf(socket.remoteAddress, text, trusted);
    if (address !== null) headers[name] = address;
    next();
  });
  kept.fairleadClientHeader = name;
}

/** clientAddressIn reads that header; null if the request arrived another way. */
export function clientAddressIn(headers: Headers): string | null {
  return kept.fairleadClientHeader ? headers.get(kept.fairleadClientHeader) : null;
}
