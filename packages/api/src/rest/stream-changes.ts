import { TRPCError } from "@trpc/server";
import type { ApiContext } from "../context.ts";
import { followChanges } from "../live/follow-changes.ts";
import type { LivePart } from "../live/message.ts";
import { accepts } from "./accept.ts";
import { type FieldError, RestError } from "./problem.ts";

export type StreamOptions = { pingMs?: number; recheckMs?: number };

/** streamChanges answers with the live stream as server-sent events. */
export async function streamChanges(
  ctx: ApiContext,
  request: Request,
  url: URL,
  options: StreamOptions,
): Promise<Response> {
  if (!accepts(request.headers.get("accept"), "text/event-stream"))
    throw new RestError("not-acceptable", "This is a stream of events: accept text/event-stream.");
  const after = readAfter(request, url);
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no", // nginx would hold events back
    "x-request-id": ctx.requestId,
  };
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, request.signal]);
  const { actor, organizationId } = await ctx.identify();
  const parts = followChanges({ ...ctx, actor, organizationId }, ctx.feed, {
    after,
    signal,
    recheckMs: options.recheckMs ?? 30_000,
  });
  // The first part comes before the answer begins: what can't begin is refused with a proper status.
  const first = await parts.next();
  if (request.method !== "HEAD")
    return new Response(toEventStream(first, parts, ended, options.pingMs ?? 15_000, ctx), { headers });
  ended.abort();
  await parts.return();
  return new Response(null, { headers });
}

function readAfter(request: Request, url: URL): string | undefined {
  const errors: FieldError[] = [];
  for (const name of new Set(url.searchParams.keys()))
    if (name !== "after")
      errors.push({ in: "query", name, message: "there is no such parameter here; known is after" });
  if (url.searchParams.getAll("after").length > 1)
    errors.push({ in: "query", name: "after", message: "given more than once" });
  const [first] = errors;
  if (first) throw new RestError("malformed", `The query parameter ${first.name}: ${first.message}.`, { errors });
  const text = request.headers.get("last-event-id") ?? url.searchParams.get("after") ?? undefined;
  if (text === undefined || text.length <= 64) return text;
  const where = { in: "query", name: "after", message: "64 characters at most" } as const;
  throw new RestError("invalid", "after: 64 characters at most", { errors: [where] });
}

type Next = IteratorResult<LivePart, void>;

/** A stream takes the next part only when its client has taken the one before, so a slow client waits in the hub's bounded buffer. */
function toEventStream(
  first: Next,
  parts: AsyncGenerator<LivePart, void>,
  ended: AbortController,
  pingMs: number,
  ctx: ApiContext,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let waiting: Next | undefined = first;
  let ping: NodeJS.Timeout | undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      ping = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": ping\n\n"));
      }, pingMs);
    },
    async pull(controller) {
      const next = waiting ?? (await parts.next().catch((error: unknown) => endAfter(error, ctx)));
      waiting = undefined;
      if (!next.done) {
        controller.enqueue(encoder.encode(formatEvent(next.value)));
        return;
      }
      clearInterval(ping);
      controller.close();
    },
    async cancel() {
      clearInterval(ping);
      ended.abort();
      await parts.return();
    },
  });
}

/** A stream that can't go on just ends: its client comes back by itself, with the id of the last event. */
function endAfter(error: unknown, ctx: ApiContext): Next {
  if (!(error instanceof TRPCError)) ctx.reportFault({ requestId: ctx.requestId, operation: "live.changes", error });
  return { done: true, value: undefined };
}

function formatEvent({ cursor, message }: LivePart): string {
  const { type, ...data } = message;
  return `id: ${cursor}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
