import { setTimeout as sleep } from "node:timers/promises";
import { DomainError } from "@fairlead/domain";
import { type Choice, type Choose, waitMsOf } from "@fairlead/domain/choice";
import { checkChoice, choose, type ServiceContext } from "@fairlead/services";
import type { ApiContext } from "../context.ts";

type Watching = ServiceContext & Pick<ApiContext, "choices" | "actors">;

/**
 * watchChoice makes a choice again and again, each with the winner that the one before settled. It ends with the signal, and
 * throws when the actor is no longer accepted.
 */
export async function* watchChoice(ctx: Watching, input: Choose, cut: AbortSignal): AsyncGenerator<Choice, void> {
  await checkChoice(ctx, input);
  const leave = ctx.choices.enter(ctx.organizationId);
  const watched = ctx.actors.watch(ctx);
  const signal = AbortSignal.any([cut, watched.signal, ctx.choices.closing]);
  let { previous } = input;
  try {
    while (!signal.aborted) {
      const choice = await ctx.choices.make({ ...ctx, now: new Date() }, { ...input, previous });
      previous = choice.settled;
      yield choice;
      await sleep(ctx.choices.everyMs, undefined, { signal }).catch(() => {}); // aborted: the loop ends
    }
  } finally {
    watched.stop();
    leave();
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
  if (ctx.choices.closing.aborted)
    throw new DomainError("unavailable", "The server is restarting.", { retryAfterSeconds: 1 });
}

/** awaitChoice chooses, and waits until the choice has another state than the caller's, if requested. */
export async function awaitChoice(ctx: Watching, input: Choose, cut: AbortSignal): Promise<Choice> {
  const withinMs = waitMsOf(input);
  if (withinMs === 0) return choose(ctx, input);
  const signal = AbortSignal.any([cut, AbortSignal.timeout(withinMs)]);
  let last: Choice | undefined;
  for await (const choice of watchChoice(ctx, input, signal)) {
    if (choice.state !== input.after) return choice;
    last = choice;
  }
  return last ?? choose(ctx, input);
}
