import { DomainError } from "@fairlead/domain";
import { TRPCError } from "@trpc/server";
import type { ApiContext } from "../context.ts";

export type StreamOptions = { pingMs?: number; recheckMs?: number };

/** One server-sent event. The data is one line. */
export type StreamPart = { id: string; event: string; data: string };

export type EventStream = {
  ctx: ApiContext;
  request: Request;
  parts: AsyncGenerator<StreamPart, void>;
  /** Ends what the parts wait for. */
  ended: AbortController;
  pingMs: number | undefined;
  /** Whose stream it is, should it break. */
  operation: string;
};

type Next = IteratorResult<StreamPart, void>;

/**
 * eventStream answers with server-sent events. The first comes before the answer begins: what can't begin is refused with a
 * proper status.
 */
export async function eventStream(stream: EventStream): Promise<Response> {
  const { ctx, request, parts, ended } = stream;
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no", // nginx would hold events back
    "x-request-id": ctx.requestId,
  };
  const first = await parts.next();
  if (request.method !== "HEAD") return new Response(toBody(first, stream), { headers });
  ended.abort();
  await parts.return();
  return new Response(null, { headers });
}

/** A stream takes the next part only when its client has taken the one before. */
function toBody(
  first: Next,
  { ctx, parts, ended, pingMs = 15_000, operation }: EventStream,
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
      const next = waiting ?? (await parts.next().catch((error: unknown) => endAfter(error, ctx, operation)));
      waiting = undefined;
      if (!next.done) {
        const { id, event, data } = next.value;
        controller.enqueue(encoder.encode(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`));
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
function endAfter(error: unknown, ctx: ApiContext, operation: string): Next {
  const isPlanned = error instanceof TRPCError || error instanceof DomainError;
  if (!isPlanned) ctx.reportFault({ requestId: ctx.requestId, operation, error });
  return { done: true, value: undefined };
}
