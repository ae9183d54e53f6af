import { randomUUID } from "node:crypto";
import { type IncomingMessage, Server } from "node:http";
import { clientAddressOf, readProxies } from "@fairlead/domain/access";
import { env } from "../env.ts";

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
  const emit: (this: Server, event: string, ...args: unknown[]) => boolean = Server.prototype.emit;
  Server.prototype.emit = function emitKnown(this: Server, event: string, ...args: unknown[]): boolean {
    if (event === "request") {
      const { headers, socket } = args[0] as IncomingMessage;
      const forwarded = headers["x-forwarded-for"];
      const text = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
      const address = clientAddressOf(socket.remoteAddress, text, trusted);
      if (address !== null) headers[name] = address;
    }
    return emit.call(this, event, ...args);
  };
  kept.fairleadClientHeader = name;
}

/** clientAddressIn reads that header; null if the request arrived another way. */
export function clientAddressIn(headers: Headers): string | null {
  return kept.fairleadClientHeader ? headers.get(kept.fairleadClientHeader) : null;
}
