import { invalid } from "@fairlead/domain";
import { type Choose, choose } from "@fairlead/domain/choice";
import type { ServiceContext } from "@fairlead/services";
import { ZodError } from "zod";
import type { ApiContext } from "../context.ts";
import { watchChoice } from "../live/watch-choice.ts";
import { notingDenied } from "../note-denied.ts";
import { checkStorable } from "../storable.ts";
import { invalidInput } from "../translate-error.ts";
import { accepts } from "./accept.ts";
import { eventStream, type StreamOptions, type StreamPart } from "./event-stream.ts";
import type { Operation } from "./operation.ts";
import { RestError } from "./problem.ts";
import { readInput } from "./read-input.ts";

export const choiceStreamPath = "/choose/stream";

/** streamChoice answers with a choice as server-sent events: the whole choice, and each later one with another state. */
export async function streamChoice(
  ctx: ApiContext,
  request: Request,
  url: URL,
  choosing: Operation,
  options: StreamOptions,
): Promise<Response> {
  if (!accepts(request.headers.get("accept"), "text/event-stream"))
    throw new RestError("not-acceptable", "This is a stream of events: accept text/event-stream.");
  const { actor, organizationId } = await ctx.identify();
  const given = await readInput(choosing, request, {}, url.searchParams);
  checkStorable(given);
  const parsed = choose.safeParse(given);
  if (!parsed.success) throw invalidInput(new ZodError(parsed.error.issues));
  if (parsed.data.wait !== undefined) throw invalid(["wait"], "A stream sends each change at once: omit wait.");
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, request.signal]);
  const service = { ...ctx, actor, organizationId };
  const parts = followChoice(service, parsed.data, signal);
  const operation = "choice.stream";
  return notingDenied(service, operation, () =>
    eventStream({ ctx, request, parts, ended, pingMs: options.pingMs, operation }),
  );
}

async function* followChoice(
  ctx: ApiContext & ServiceContext,
  input: Choose,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, void> {
  let state: string | undefined;
  for await (const choice of watchChoice(ctx, input, signal)) {
    if (choice.state === state) continue;
    const isFirst = state === undefined;
    state = choice.state;
    // A client that has this state gets an event at once, so that it sees that the stream is open.
    if (isFirst && state === input.after) yield { id: state, event: "unchanged", data: "{}" };
    else yield { id: state, event: "choice", data: JSON.stringify(choice) };
  }
}
