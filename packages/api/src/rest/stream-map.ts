import { idOf } from "@fairlead/domain";
import { checkMapAccess, noteMapReads, openMap, type ServiceContext } from "@fairlead/services";
import type { ApiContext } from "../context.ts";
import { stateOf } from "../live/map-hub.ts";
import { notingDenied } from "../note-denied.ts";
import { accepts } from "./accept.ts";
import { eventStream, type StreamOptions, type StreamPart } from "./event-stream.ts";
import { type FieldError, RestError } from "./problem.ts";

export const mapStreamPath = "/exposures/{id}/mappings/stream";

/** A stream without changes waits; its pings are sent by the transport. */
const idleMs = 30_000;

/**
 * streamMap answers with an exposure's address map as server-sent events: the whole map, and each newer whole map. The
 * id of an event is the map's generation, so that a client that resumes with it gets only newer maps.
 */
export async function streamMap(
  ctx: ApiContext,
  request: Request,
  url: URL,
  exposureId: string,
  options: StreamOptions,
): Promise<Response> {
  if (!accepts(request.headers.get("accept"), "text/event-stream"))
    throw new RestError("not-acceptable", "This is a stream of events: accept text/event-stream.");
  const { actor, organizationId } = await ctx.identify();
  checkId(exposureId);
  const after = readAfter(request, url);
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, request.signal]);
  const service = { ...ctx, actor, organizationId };
  const parts = followMap(service, exposureId, after, signal);
  const operation = "addressMap.stream";
  return notingDenied(service, operation, () =>
    eventStream({ ctx, request, parts, ended, pingMs: options.pingMs, operation }),
  );
}

async function* followMap(
  ctx: ApiContext & ServiceContext,
  id: string,
  after: number | undefined,
  cut: AbortSignal,
): AsyncGenerator<StreamPart, void> {
  let head = await openMap(ctx, id);
  const watched = ctx.actors.watch(ctx);
  const signal = AbortSignal.any([cut, watched.signal]);
  try {
    // A client that has this generation gets an event at once, so that it sees the stream is open, and then waits.
    if (head.generation === after) yield { id: `${after}`, event: "unchanged", data: "{}" };
    let sent = head.generation === after ? stateOf(head) : null;
    while (!signal.aborted) {
      if (stateOf(head) !== sent) {
        const read = await ctx.maps.read(head);
        if (!read) break;
        await noteMapReads({ ...ctx, now: new Date() }, [id], "stream");
        yield { id: `${read.map.generation}`, event: "map", data: JSON.stringify(read.map) };
        head = read.head;
        sent = stateOf(head);
      }
      const next = await ctx.maps.wait(head, idleMs, signal);
      if (!next) break;
      if (signal.aborted) return;
      checkMapAccess(ctx, next);
      head = next;
    }
    if (!signal.aborted) yield { id: "", event: "gone", data: "{}" };
  } finally {
    watched.stop();
  }
}

function checkId(exposureId: string): void {
  const parsed = idOf("exposure").safeParse(exposureId);
  if (parsed.success) return;
  const message = parsed.error.issues[0]?.message ?? "expected the id of an exposure";
  throw new RestError("invalid", `id: ${message}`, { errors: [{ in: "path", name: "id", message }] });
}

function readAfter(request: Request, url: URL): number | undefined {
  const errors: FieldError[] = [];
  for (const name of new Set(url.searchParams.keys()))
    if (name !== "after")
      errors.push({ in: "query", name, message: "there is no such parameter here; the only one is after" });
  const [first] = errors;
  if (first) throw new RestError("malformed", `The query parameter ${first.name}: ${first.message}.`, { errors });
  // Any other id, such as the empty one of a stream that ended, is no generation: the whole map follows.
  const text = request.headers.get("last-event-id") || url.searchParams.get("after") || undefined;
  if (text === undefined || /^\d{1,10}$/.test(text)) return text === undefined ? undefined : Number(text);
  const message = "expected the generation of the last map, a whole number";
  throw new RestError("invalid", `after: ${message}`, { errors: [{ in: "query", name: "after", message }] });
}
