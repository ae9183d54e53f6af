import { feedEntry } from "@fairlead/domain/event";
import { z } from "zod";

/** The messages of a live stream. Pointers only: a client reads the object itself, with its own permissions. */
export const liveMessage = z
  .discriminatedUnion("type", [
    z
      .object({
        type: z.literal("ready").describe("The stream is open; from here on nothing is missed."),
        now: z.date().describe("The control plane's clock, to calculate ages with."),
      })
      .meta({ id: "LiveReady" }),
    feedEntry
      .extend({ type: z.literal("change").describe("This object changed: read it again.") })
      .meta({ id: "LiveChange" }),
    z
      .object({
        type: z.literal("reset").describe("Too much changed while you were away or slow: read everything again."),
        now: z.date().describe("The control plane's clock."),
      })
      .meta({ id: "LiveReset" }),
    z
      .object({
        type: z
          .literal("session-changed")
          .describe(
            "The session has another role or organisation now; the stream ends. Read the session and reconnect.",
          ),
      })
      .meta({ id: "LiveSessionChanged" }),
    z
      .object({ type: z.literal("session-expired").describe("The session or key is over; the stream ends.") })
      .meta({ id: "LiveSessionExpired" }),
  ])
  .meta({ id: "LiveMessage" });
export type LiveMessage = z.infer<typeof liveMessage>;

/** A message and the position to resume from, should the stream be cut after it. */
export type LivePart = { cursor: string; message: LiveMessage };
