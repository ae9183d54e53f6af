import type { AppRouter, LiveMessage } from "@fairlead/api";
import type { Session } from "@fairlead/domain/access";
import type { FeedEntry } from "@fairlead/domain/event";
import type { TRPCClient } from "@trpc/client";
import { isSignedOut } from "../trpc/problem.ts";
import { onOtherTabMessage } from "./other-tabs.ts";
import { noteServerTime } from "./server-clock.ts";
import { noteSession, onSessionState, type SessionState, sessionState } from "./session-state.ts";

export type StreamState = "connecting" | "live" | "reconnecting" | Exclude<SessionState, "here">;

const firstRetryMs = 1_000;
const lastRetryMs = 15_000;

/**
 * followChanges keeps one stream of changes open, from a cursor on, while the tab is visible. A browser opens only six
 * connections per host over HTTP/1.1 for all its tabs, so streams in hidden tabs would block requests. After an
 * interruption it resumes from the last entry. Without a matching session it waits for one instead of retrying. Returns
 * a function that stops it.
 */
export function followChanges(
  client: TRPCClient<AppRouter>,
  from: { cursor: string | null; session: () => Session },
  on: {
    onChange: (entry: FeedEntry) => void;
    /** Everything may have changed, so the visible data must be fetched again. */
    onReset: () => void;
    /** The role of the user has changed. */
    onRole: () => void;
    onState: (state: StreamState) => void;
  },
): () => void {
  let lastEventId = from.cursor;
  let subscription: { unsubscribe: () => void } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let opened = 0;
  let failures = 0;
  let ended = false;

  function open(): void {
    if (ended || subscription || document.visibilityState !== "visible" || sessionState() !== "here") return;
    clearTimeout(timer);
    const mine = ++opened;
    const isOurs = () => subscription !== undefined && mine === opened;
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
        if (isOurs() && change.state === "connecting" && change.error) on.onState("reconnecting");
      },
      onError: (error) => void (isOurs() && failed(error)),
      onComplete: () => void (isOurs() && failed(null)),
    });
  }

  function close(): void {
    clearTimeout(timer);
    const closing = subscription;
    subscription = undefined;
    closing?.unsubscribe();
  }

  function receive(message: LiveMessage, isFirst: boolean) {
    switch (message.type) {
      case "ready":
        noteServerTime(message.now);
        // The cursor of the page is unknown, so the page may be older than the stream.
        if (isFirst) on.onReset();
        return;
      case "change":
        return on.onChange(message);
      case "reset":
        noteServerTime(message.now);
        return on.onReset();
      case "session-expired":
        return noteSession("signed-out");
      case "session-changed":
        return void failed(null);
      default:
        return message satisfies never;
    }
  }

  async function failed(error: unknown): Promise<void> {
    close();
    // EventSource doesn't expose why a stream was refused, so an ordinary request checks the session.
    if (isSignedOut(error)) noteSession("signed-out");
    else await look();
    if (ended || subscription || sessionState() !== "here") return;
    on.onState("reconnecting");
    clearTimeout(timer);
    timer = setTimeout(open, Math.min(firstRetryMs * 2 ** failures++, lastRetryMs));
  }

  /** The session may have changed: another tab may have ended it, switched it, or signed in again. */
  async function look(): Promise<void> {
    const found = await findSession(client);
    if (ended || found === "unknown") return;
    const shown = from.session();
    noteSession(seenFrom(shown, found));
    if (found !== "over" && sessionState() === "here" && found.organization.role !== shown.organization.role)
      on.onRole();
  }

  function onLooked(): void {
    if (document.visibilityState !== "visible") close();
    else if (sessionState() === "here") open();
    else void look();
  }

  function onNoted(): void {
    const state = sessionState();
    close();
    on.onState(state === "here" ? "reconnecting" : state);
    if (state !== "here") return;
    on.onReset();
    open();
  }

  const stops = [onSessionState(onNoted), onOtherTabMessage(() => void look())];
  window.addEventListener("focus", onLooked);
  document.addEventListener("visibilitychange", onLooked);
  open();

  return () => {
    ended = true;
    close();
    for (const stop of stops) stop();
    window.removeEventListener("focus", onLooked);
    document.removeEventListener("visibilitychange", onLooked);
  };
}

function seenFrom(shown: Session, found: Session | "over"): SessionState {
  if (found === "over") return "signed-out";
  return found.organization.id === shown.organization.id ? "here" : "elsewhere";
}

async function findSession(client: TRPCClient<AppRouter>): Promise<Session | "over" | "unknown"> {
  try {
    return await client.session.get.query();
  } catch (error) {
    return isSignedOut(error) ? "over" : "unknown";
  }
}
