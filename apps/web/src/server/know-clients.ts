import { randomUUID } from "node:crypto";
import { type IncomingMessage, Server } from "node:http";
import { clientAddressOf, readProxies } from "@fairlead/domain";
import { env } from "../env.ts";

// Next.js may load this module several times in one process; the name is one all the same.
const kept = globalThis as { fairleadClientHeader?: string };

/**
 * knowClients has every request carry where it came from, in a header whose name nobody outside knows: a route of Next.js
 * sees headers alone, and those are the client's to write.
 */
export function knowClients(): void {
  const name = `x-fairlead-client-${randomUUID()}`;
  const read = readProxies(env().trustedProxies);
  // The launcher refuses to start with such; trusting nobody is the safe reading.
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

/** clientAddressIn reads that header; null where the request came by another way. */
export function clientAddressIn(headers: Headers): string | null {
  return kept.fairleadClientHeader ? headers.get(kept.fairleadClientHeader) : null;
}
