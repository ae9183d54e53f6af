import type { ApiContext } from "../context.ts";
import { followChanges } from "../live/follow-changes.ts";
import type { LivePart } from "../live/message.ts";
import { notingDenied } from "../note-denied.ts";
import { accepts } from "./accept.ts";
import { eventStream, type StreamOptions, type StreamPart } from "./event-stream.ts";
import { type FieldError, RestError } from "./problem.ts";

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
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, request.signal]);
  const { actor, organizationId } = await ctx.identify();
  const changes = followChanges({ ...ctx, actor, organizationId }, ctx.feed, { after, signal, actors: ctx.actors });
  const { pingMs } = options;
  const operation = "live.changes";
  return notingDenied({ ...ctx, actor, organizationId }, operation, () =>
    eventStream({ ctx, request, parts: formatted(changes), ended, pingMs, operation }),
  );
}

async function* formatted(parts: AsyncGenerator<LivePart, void>): AsyncGenerator<StreamPart, void> {
  for await (const { cursor, message } of parts) {
    const { type, ...data } = message;
    yield { id: cursor, event: type, data: JSON.stringify(data) };
  }
}

function readAfter(request: Request, url: URL): string | undefined {
  const errors: FieldError[] = [];
  for (const name of new Set(url.searchParams.keys()))
    if (name !== "after")
      errors.push({ in: "query", name, message: "there is no such parameter here; the only one is after" });
  if (url.searchParams.getAll("after").length > 1)
    errors.push({ in: "query", name: "after", message: "given more than once" });
  const [first] = errors;
  if (first) throw new RestError("malformed", `The query parameter ${first.name}: ${first.message}.`, { errors });
  const text = request.headers.get("last-event-id") ?? url.searchParams.get("after") ?? undefined;
  if (text === undefined || text.length <= 64) return text;
  const where = { in: "query", name: "after", message: "64 characters at most" } as const;
  throw new RestError("invalid", "after: 64 characters at most", { errors: [where] });
}
