"use client";
import { type Query, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useSession } from "@/components/frame/session.tsx";
import { useTRPCClient } from "@/trpc/client.tsx";
import { affectedBy } from "./affected.ts";
import { type ChangeQueue, createChangeQueue } from "./change-queue.ts";
import { followChanges } from "./follow-changes.ts";
import { initialFacts, type LiveFacts, LiveStore } from "./live-store.ts";

export type Live = LiveFacts & { pause: () => void; resume: () => void };

type LiveControls = { store: LiveStore; pause: () => void; resume: () => void };

// One value for the life of a page. If a context changed while the server still streams a part of the page, the browser
// would render that part from scratch and discard the server's output.
const LiveContext = createContext<LiveControls>({ store: new LiveStore(), pause() {}, resume() {} });

export function useLive(): Live {
  const { store, pause, resume } = use(LiveContext);
  const facts = useSyncExternalStore(store.subscribe, store.facts, () => initialFacts);
  return { ...facts, pause, resume };
}

/** A change is visible well under a second after it was stored. Many changes at once cause two fetches per second. */
const gapMs = 400;

/**
 * LiveProvider keeps the stream of this tab and refetches the changed queries. The stream starts at the cursor from
 * before the page was rendered, so that no change is missed.
 */
export function LiveProvider({ cursor, children }: { cursor: string | null; children: ReactNode }) {
  const queryClient = useQueryClient();
  const client = useTRPCClient();
  const router = useRouter();
  const shown = useSession();
  const session = useRef(shown);
  const [store] = useState(() => new LiveStore());
  const queueRef = useRef<ChangeQueue | null>(null);
  const start = useRef(cursor);

  useEffect(() => {
    session.current = shown;
  }, [shown]);

  useEffect(() => {
    const queue = createChangeQueue({
      gapMs,
      onWaiting: (waiting) => store.update({ waiting }),
      apply: (batch) => {
        const affected = batch === "everything" ? () => true : affectedBy(batch);
        const filters = { predicate: (query: Query) => affected(query.queryKey) };
        const isShown = queryClient.getQueryCache().findAll({ ...filters, type: "active" }).length > 0;
        return queryClient.invalidateQueries(filters).then(() => isShown);
      },
    });
    queueRef.current = queue;
    const from = { cursor: start.current, session: () => session.current };
    const stop = followChanges(client, from, {
      onChange: queue.push,
      onReset: queue.pushReset,
      onRole: () => {
        router.refresh(); // the layout passes the new permissions
        queue.pushReset();
      },
      onState: (stream) => store.update({ stream }),
    });
    return () => {
      stop();
      queue.close();
    };
  }, [client, queryClient, router, store]);

  const pause = useCallback(() => {
    queueRef.current?.pause();
    store.update({ paused: true });
  }, [store]);
  const resume = useCallback(() => {
    store.update({ paused: false, waiting: 0 });
    queueRef.current?.resume();
  }, [store]);

  const controls = useMemo(() => ({ store, pause, resume }), [store, pause, resume]);
  return <LiveContext value={controls}>{children}</LiveContext>;
}
