import { tracked } from "@trpc/server";
import { z } from "zod";
import { followChanges } from "../live/follow-changes.ts";
import { procedure, router } from "../trpc.ts";

export const liveRouter = router({
  /** The client gives back the id of the last message by itself, so that a cut loses nothing. */
  changes: procedure
    .meta({ permission: "event:read" })
    .input(z.strictObject({ lastEventId: z.string().max(64).nullish() }).optional())
    .subscription(async function* ({ ctx, input, signal }) {
      const after = input?.lastEventId ?? undefined;
      const parts = followChanges(ctx, ctx.feed, { after, signal: signal ?? new AbortController().signal });
      for await (const { cursor, message } of parts) yield tracked(cursor, message);
    }),
});
