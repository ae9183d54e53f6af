import { DomainError, notFound } from "@fairlead/domain";
import { checkMapAccess, type MapHead, type ServiceContext } from "@fairlead/services";
import type { ApiContext } from "../context.ts";

/**
 * awaitMap waits until a map has a generation other than the client's, as long as the client may read it, and returns
 * its head; the same head when nothing changed in time.
 */
export async function awaitMap(
  ctx: ServiceContext & Pick<ApiContext, "maps" | "actors">,
  head: MapHead,
  { after, withinMs, signal: cut }: { after: number; withinMs: number; signal: AbortSignal },
): Promise<MapHead> {
  const until = Date.now() + withinMs;
  const watched = ctx.actors.watch(ctx);
  const signal = AbortSignal.any([cut, watched.signal]);
  let current = head;
  try {
    while (current.generation === after && !signal.aborted) {
      const left = until - Date.now();
      if (left <= 0) break;
      const next = await ctx.maps.wait(current, left, signal);
      if (!next) throw notFound("exposure", head.id);
      checkMapAccess(ctx, next);
      current = next;
    }
  } finally {
    watched.stop();
  }
  if (watched.news === "over")
    throw new DomainError(
      "unauthenticated",
      "The session or key of this request is no longer valid. Sign in again, or use another key.",
    );
  if (watched.news === "changed")
    throw new DomainError("unavailable", "Your role or organisation changed meanwhile. Send the request again.", {
      retryAfterSeconds: 1,
    });
  return current;
}
