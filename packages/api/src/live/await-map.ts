import { notFound } from "@fairlead/domain";
import { checkMapAccess, type MapHead, type ServiceContext } from "@fairlead/services";
import type { MapHub } from "./map-hub.ts";

/**
 * awaitMap waits until a map has a generation other than the client's, as long as the client may read it, and returns
 * its head; the same head when nothing changed in time.
 */
export async function awaitMap(
  ctx: ServiceContext,
  hub: MapHub,
  head: MapHead,
  { after, withinMs, signal }: { after: number; withinMs: number; signal: AbortSignal },
): Promise<MapHead> {
  const until = Date.now() + withinMs;
  let current = head;
  while (current.generation === after && !signal.aborted) {
    const left = until - Date.now();
    if (left <= 0) break;
    const next = await hub.wait(current, left, signal);
    if (!next) throw notFound("exposure", head.id);
    checkMapAccess(ctx, next);
    current = next;
  }
  return current;
}
