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
import { type ChangeQueue, makeChangeQueue } from "./change-queue.ts";
import { followChanges } from "./follow-changes.ts";
import { factsAtFirst, type LiveFacts, LiveStore } from "./live-store.ts";

export type Live = LiveFacts & { pause: () => void; resume: () => void };

type LiveControls = { store: LiveStore; pause: () => void; resume: () => void };

// One value for the life of a page. A context that changed while the server still sends a part of the page would have
// that part drawn in the browser from nothing, and what the server sends of it thrown away.
const LiveContext = createContext<LiveControls>({ store: new LiveStore(), pause() {}, resume() {} });

export function useLive(): Live {
  const { store, pause, resume } = use(LiveContext);
  const facts = useSyncExternalStore(store.subscribe, store.facts, () => factsAtFirst);
  return { ...facts, pause, resume };
}

/** A change is on screen well under a second after it was stored, and a storm of them costs two fetches a second. */
const gapMs = 400;

/**
 * LiveProvider holds the one stream of this tab and fetches again what it says has changed. It goes on from where the
 * feed stood before the page was read, so that nothing falls between the two.
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
    const queue = makeChangeQueue({
      gapMs,
      onWaiting: (waiting) => store.tell({ waiting }),
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
        router.refresh(); // what the person may do here is said by the frame
        queue.pushReset();
      },
      onState: (stream) => store.tell({ stream }),
    });
    return () => {
      stop();
      queue.close();
    };
  }, [client, queryClient, router, store]);

  const pause = useCallback(() => {
    queueRef.current?.pause();
    store.tell({ paused: true });
  }, [store]);
  const resume = useCallback(() => {
    store.tell({ paused: false, waiting: 0 });
    queueRef.current?.resume();
  }, [store]);

  const controls = useMemo(() => ({ store, pause, resume }), [store, pause, resume]);
  return <LiveContext value={controls}>{children}</LiveContext>;
}
