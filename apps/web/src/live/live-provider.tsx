"use client";
import { type Query, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useSession } from "@/components/frame/session.tsx";
import { useTRPCClient } from "@/trpc/client.tsx";
import { affectedBy } from "./affected.ts";
import { type ChangeQueue, makeChangeQueue } from "./change-queue.ts";
import { followChanges, type StreamState } from "./follow-changes.ts";

export type LiveState = StreamState | "paused";
export type Live = {
  state: LiveState;
  paused: boolean;
  /** Changes that arrived while paused. */
  waiting: number;
  pause: () => void;
  resume: () => void;
};

const LiveContext = createContext<Live>({
  state: "connecting",
  paused: false,
  waiting: 0,
  pause() {},
  resume() {},
});

export const useLive = (): Live => use(LiveContext);

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
  const [stream, setStream] = useState<StreamState>("connecting");
  const [paused, setPaused] = useState(false);
  const [waiting, setWaiting] = useState(0);
  const queueRef = useRef<ChangeQueue | null>(null);
  const start = useRef(cursor);

  useEffect(() => {
    session.current = shown;
  }, [shown]);

  useEffect(() => {
    const queue = makeChangeQueue({
      gapMs,
      onWaiting: setWaiting,
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
      // It comes while the page still hydrates; at once, it would have the rest hydrate in one go.
      onState: (state) => startTransition(() => setStream(state)),
    });
    return () => {
      stop();
      queue.close();
    };
  }, [client, queryClient, router]);

  const pause = useCallback(() => {
    queueRef.current?.pause();
    setPaused(true);
  }, []);
  const resume = useCallback(() => {
    setPaused(false);
    setWaiting(0);
    queueRef.current?.resume();
  }, []);

  const live = useMemo<Live>(() => {
    const state = paused && stream !== "signed-out" && stream !== "elsewhere" ? "paused" : stream;
    return { state, paused, waiting, pause, resume };
  }, [stream, paused, waiting, pause, resume]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
