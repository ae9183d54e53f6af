import { DomainError } from "@fairlead/domain";
import { TRPCError } from "@trpc/server";
import type { ApiContext } from "../context.ts";

export type StreamOptions = { pingMs?: number };

/** One server-sent event. The data is one line. */
export type StreamPart = { id: string; event: string; data: string };

export type EventStream = {
  ctx: ApiContext;
  request: Request;
  parts: AsyncGenerator<StreamPart, void>;
  /** Aborts the source of the parts. */
  ended: AbortController;
  pingMs: number | undefined;
  /** The operation, for the fault report. */
  operation: string;
};

type Next = IteratorResult<StreamPart, void>;

/**
 * eventStream answers with server-sent events. The first part is awaited before the response starts: a stream that
 * can't begin is refused with a proper status.
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

/** The next part is taken only when the client has read the one before. */
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

/** A stream that fails just ends: its client reconnects by itself, with the id of the last event. */
function endAfter(error: unknown, ctx: ApiContext, operation: string): Next {
  const isPlanned = error instanceof TRPCError || error instanceof DomainError;
  if (!isPlanned) ctx.reportFault({ requestId: ctx.requestId, operation, error });
  return { done: true, value: undefined };
}
