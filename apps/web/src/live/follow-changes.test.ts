import type { AppRouter, LiveMessage } from "@fairlead/api";
import type { Session } from "@fairlead/domain/access";
import type { TRPCClient } from "@trpc/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followChanges } from "./follow-changes.ts";
import { serverNow } from "./server-clock.ts";
import { noteSession, sessionState } from "./session-state.ts";

type Handlers = {
  onStarted: () => void;
  onData: (message: { id: string; data: LiveMessage }) => void;
  onError: (error: unknown) => void;
  onComplete: () => void;
};
type Opened = Handlers & { after: string | undefined; isOpen: boolean };

const acme = { organization: { id: "org_acme", name: "Acme", role: "operator" } } as Session;
const beta = { organization: { id: "org_beta", name: "Beta", role: "operator" } } as Session;
const signedOut = { data: { code: "UNAUTHORIZED" } };

/** A simulated tab: its visibility, its session, and the notifications that it received. */
class Tab extends EventTarget {
  visibilityState = "visible";
  streams: Opened[] = [];
  received: string[] = [];
  answer: Session | typeof signedOut = acme;
  stop = () => {};

  show(visible: boolean): void {
    this.visibilityState = visible ? "visible" : "hidden";
    this.dispatchEvent(new Event("visibilitychange"));
  }

  follow(cursor: string | null = "10"): this {
    const client = {
      session: { get: { query: async () => this.whoAmI() } },
      live: {
        changes: {
          subscribe: (input: { lastEventId: string } | undefined, handlers: Handlers) => {
            const opened = { ...handlers, after: input?.lastEventId, isOpen: true };
            this.streams.push(opened);
            return {
              unsubscribe() {
                opened.isOpen = false;
              },
            };
          },
        },
      },
    } as unknown as TRPCClient<AppRouter>;
    const note = (what: string) => () => void this.received.push(what);
    const from = { cursor, session: () => acme };
    this.stop = followChanges(client, from, {
      onChange: ({ subjectId }) => void this.received.push(subjectId),
      onReset: note("reset"),
      onRole: note("role"),
      onState: (state) => void this.received.push(state),
    });
    return this;
  }

  whoAmI(): Session {
    if (this.answer === signedOut) throw signedOut;
    return this.answer as Session;
  }

  get stream(): Opened {
    const last = this.streams.at(-1);
    if (!last) throw new Error("no stream yet");
    return last;
  }

  get openStreams(): number {
    return this.streams.filter(({ isOpen }) => isOpen).length;
  }
}

let tab: Tab;
const change = (subjectId: string): LiveMessage => ({
  type: "change",
  subjectKind: "node",
  subjectId,
  clusterId: null,
});
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  tab = new Tab();
  vi.stubGlobal("document", tab);
  vi.stubGlobal("window", new EventTarget());
});
afterEach(() => {
  tab.stop();
  noteSession("here");
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("the stream of a tab", () => {
  it("is closed while the tab is hidden, and resumes where it stopped", () => {
    tab.follow();
    expect(tab.stream.after).toBe("10");
    tab.stream.onData({ id: "11", data: change("node_1") });
    tab.show(false);
    expect(tab.openStreams).toBe(0);
    tab.show(true);
    expect(tab.openStreams).toBe(1);
    expect(tab.stream.after).toBe("11");
    expect(tab.received).not.toContain("reset");
  });

  it("is not opened by a background tab until it becomes visible", () => {
    tab.visibilityState = "hidden";
    tab.follow();
    expect(tab.streams).toEqual([]);
    tab.show(true);
    expect(tab.openStreams).toBe(1);
  });

  it("does not reconnect in a hidden tab", async () => {
    tab.follow();
    tab.stream.onError(new Error("cut"));
    tab.show(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.openStreams).toBe(0);
    tab.show(true);
    expect(tab.openStreams).toBe(1);
  });

  it("reconnects once after an interruption, however often the tab was shown meanwhile", async () => {
    tab.follow();
    tab.stream.onError(new Error("cut"));
    await settled();
    expect(tab.received).toEqual(["reconnecting"]);
    tab.show(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.openStreams).toBe(1);
    expect(tab.streams).toHaveLength(2);
  });

  it("provides the control plane's time", () => {
    tab.follow();
    const now = new Date(Date.now() + 600_000);
    tab.stream.onData({ id: "11", data: { type: "ready", now } });
    expect(serverNow()).toBe(now.getTime());
    vi.advanceTimersByTime(5_000);
    expect(serverNow()).toBe(now.getTime() + 5_000);
  });
});

describe("a changed session", () => {
  it("in another organisation stops the stream and is reported as such", async () => {
    tab.follow();
    tab.answer = beta;
    tab.stream.onData({ id: "12", data: { type: "session-changed" } });
    await settled();
    expect([sessionState(), tab.received, tab.openStreams]).toEqual(["elsewhere", ["elsewhere"], 0]);
  });

  it("resumes when another tab switches back, and refetches", async () => {
    tab.follow();
    tab.answer = beta;
    tab.stream.onError(new Error("refused"));
    await settled();
    tab.answer = acme;
    tab.show(true);
    await settled();
    expect(sessionState()).toBe("here");
    expect(tab.received).toEqual(["elsewhere", "reconnecting", "reset"]);
    expect(tab.openStreams).toBe(1);
  });

  it("with another role is reported, and stays live", async () => {
    tab.follow();
    tab.answer = { ...acme, organization: { ...acme.organization, role: "viewer" } };
    tab.stream.onData({ id: "12", data: { type: "session-changed" } });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(tab.received).toEqual(["role", "reconnecting"]);
    expect([sessionState(), tab.openStreams]).toEqual(["here", 1]);
  });

  it("that has ended is reported", async () => {
    tab.follow();
    tab.answer = signedOut;
    tab.stream.onError(new Error("refused"));
    await settled();
    expect([sessionState(), tab.received, tab.openStreams]).toEqual(["signed-out", ["signed-out"], 0]);
  });

  it("is detected from another tab at once", async () => {
    tab.follow();
    tab.answer = beta;
    const otherTab = new BroadcastChannel("fairlead:session");
    otherTab.postMessage("changed");
    vi.useRealTimers();
    await vi.waitFor(() => expect(sessionState()).toBe("elsewhere"), { timeout: 30_000 });
    otherTab.close();
  });
});
