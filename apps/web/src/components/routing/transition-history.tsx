"use client";
import type { BgpTransition } from "@fairlead/domain/routing";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { transitionLook } from "./states.tsx";

const shown = 50;

type Of = { sessionId: string } | { announcementId: string };

/** The history of one session or announcement, newest first, loaded on demand. */
export function TransitionHistory({ of, title }: { of: Of; title: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={title}
      description="All changes, by the clock of the host that observed them."
      trigger={
        <Button size="sm" variant="quiet" aria-label={`History of ${title}`}>
          History
        </Button>
      }
      wide
    >
      {open ? <Transitions of={of} /> : null}
    </Dialog>
  );
}

function Transitions({ of }: { of: Of }) {
  const trpc = useTRPC();
  const refetchInterval = useLiveInterval();
  const history = useQuery({
    ...trpc.bgpTransition.list.queryOptions({ ...of, limit: shown }),
    refetchInterval,
  });
  const { data, error } = history;
  if (error && !data)
    return (
      <ErrorState
        what="Could not load its history"
        message={problemOf(error).message}
        onRetry={() => void history.refetch()}
        retrying={history.isFetching}
      />
    );
  if (!data)
    return (
      <div aria-busy className="flex flex-col gap-3 py-2">
        <Skeleton className="w-56" />
        <Skeleton className="w-96 max-w-full" />
      </div>
    );
  if (data.items.length === 0) return <p className="py-2 text-muted text-sm">No changes since its agent started.</p>;
  return (
    <>
      <ol className="text-sm">
        {data.items.map((each) => (
          <Transition key={each.id} of={each} />
        ))}
      </ol>
      {data.total > data.items.length ? (
        <p className="pt-2 text-muted text-sm">
          The newest {data.items.length} of {data.total}. GET /api/v1/bgp-transitions returns all of them.
        </p>
      ) : null}
    </>
  );
}

export function Transition({ of: { from, to, at, reason } }: { of: BgpTransition }) {
  return (
    <li className="flex flex-col gap-0.5 border-b py-2 last:border-b-0">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={transitionLook(to)} />
        {from ? <span className="text-muted text-xs">before: {transitionLook(from).word.toLowerCase()}</span> : null}
        <span className="ml-auto text-muted text-xs">
          <Age at={at} />
        </span>
      </span>
      {reason ? (
        <span className="text-muted">
          <LongText text={reason} />
        </span>
      ) : null}
    </li>
  );
}
