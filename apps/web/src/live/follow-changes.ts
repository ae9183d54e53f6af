import type { AppRouter, LiveMessage } from "@fairlead/api";
import type { FeedEntry } from "@fairlead/domain";
import type { TRPCClient } from "@trpc/client";
import { isSignedOut } from "@/trpc/problem.ts";
import { isNotedSignedOut, noteSignedIn, noteSignedOut, onSessionState } from "./session-state.ts";

export type StreamState = "connecting" | "live" | "reconnecting" | "signed-out";

const firstRetryMs = 1_000;
const lastRetryMs = 15_000;

/**
 * followChanges keeps one stream of changes open, from a cursor on: it comes back after a cut from the last entry it saw, and when
 * the session ended it waits for a new one instead of knocking. Answers a function that ends it.
 */
export function followChanges(
  client: TRPCClient<AppRouter>,
  from: string | null,
  on: {
    onChange: (entry: FeedEntry) => void;
    /** Anything may have changed: what is on screen must be read again. */
    onReset: () => void;
    onState: (state: StreamState) => void;
  },
): () => void {
  let lastEventId = from;
  let subscription: { unsubscribe: () => void } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let ended = false;

  function open(): void {
    if (ended) return;
    subscription = client.live.changes.subscribe(lastEventId === null ? undefined : { lastEventId }, {
      onStarted() {
        failures = 0;
        on.onState("live");
      },
      onData(message) {
        const isFirst = lastEventId === null;
        lastEventId = message.id;
        receive(message.data, isFirst);
      },
      onConnectionStateChange(change) {
        if (change.state === "connecting" && change.error) on.onState("reconnecting");
      },
      onError: (error) => void failed(error),
      onComplete: () => void failed(null),
    });
  }

  function receive(message: LiveMessage, isFirst: boolean) {
    switch (message.type) {
      case "ready":
        // Nobody knows where the feed stood when the page was read, so it may be older than the stream.
        if (isFirst) on.onReset();
        return;
      case "change":
        return on.onChange(message);
      case "reset":
        return on.onReset();
      case "session-expired":
        return noteSignedOut();
      default:
        return message satisfies never;
    }
  }

  async function failed(error: unknown): Promise<void> {
    subscription?.unsubscribe();
    if (ended) return;
    // The browser tells nothing about why a stream was refused, so ask in a way that does.
    if (isSignedOut(error) || (await isSessionOver(client))) noteSignedOut();
    if (ended) return;
    if (isNotedSignedOut()) return on.onState("signed-out");
    on.onState("reconnecting");
    clearTimeout(timer);
    timer = setTimeout(open, Math.min(firstRetryMs * 2 ** failures++, lastRetryMs));
  }

  /** Somebody who signed in again in another tab comes back to this one: go on where it stopped. */
  async function lookAgain(): Promise<void> {
    if (ended || document.visibilityState !== "visible" || !isNotedSignedOut()) return;
    if (await isSessionOver(client)) return;
    noteSignedIn();
    on.onState("reconnecting");
    on.onReset();
    open();
  }

  const stopListening = onSessionState(() => {
    if (!isNotedSignedOut()) return;
    subscription?.unsubscribe();
    clearTimeout(timer);
    on.onState("signed-out");
  });
  window.addEventListener("focus", lookAgain);
  document.addEventListener("visibilitychange", lookAgain);
  open();

  return () => {
    ended = true;
    clearTimeout(timer);
    subscription?.unsubscribe();
    stopListening();
    window.removeEventListener("focus", lookAgain);
    document.removeEventListener("visibilitychange", lookAgain);
  };
}

async function isSessionOver(client: TRPCClient<AppRouter>): Promise<boolean> {
  try {
    await client.session.get.query();
    return false;
  } catch (error) {
    return isSignedOut(error);
  }
}
