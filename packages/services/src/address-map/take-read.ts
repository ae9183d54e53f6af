import { KeyLimiter } from "../access/api-key/limiter.ts";
import type { ServiceContext } from "../context.ts";

/**
 * For all clients behind one address. A client waits for a change, so even a thousand behind one gateway need far less.
 */
export const mapReadsPerMinute = 6_000;

const processLimiter = newMapLimiter();

export function newMapLimiter(): KeyLimiter {
  return new KeyLimiter({
    prefix: "map-read:",
    describe: (most) =>
      `The limit of ${most} reads of address maps a minute from one address is reached. Wait for changes with ?wait=30s&after=… instead.`,
  });
}

/**
 * takeMapRead counts a read of address maps, or throws with the time to wait. Without an address it counts per actor.
 */
export async function takeMapRead(ctx: ServiceContext, limiter: KeyLimiter = processLimiter): Promise<void> {
  const id = `${ctx.organizationId}:${ctx.clientAddress ?? ctx.actor.id}`;
  await limiter.take(ctx.db, { id, requestsPerMinute: mapReadsPerMinute }, ctx.now);
}
