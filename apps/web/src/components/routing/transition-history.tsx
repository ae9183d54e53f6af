"use client";
import type { BgpTransition } from "@fairlead/domain";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { Age } from "@/components/ui/age.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { transitionLook } from "./states.tsx";

const shown = 50;

type Of = { sessionId: string } | { announcementId: string };

/** What one session or announcement went through, newest first, asked for when somebody wants to see it. */
export function TransitionHistory({ of, title }: { of: Of; title: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={title}
      description="Every time that it changed, by the clock of the host that saw it."
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
        what="Its history could not be read"
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
  if (data.items.length === 0)
    return <p className="py-2 text-muted text-sm">Nothing changed since its agent tells of changes.</p>;
  return (
    <>
      <ol className="text-sm">
        {data.items.map((each) => (
          <Transition key={each.id} of={each} />
        ))}
      </ol>
      {data.total > data.items.length ? (
        <p className="pt-2 text-muted text-sm">
          The newest {data.items.length} of {data.total}. GET /api/v1/bgp-transitions has them all.
        </p>
      ) : null}
    </>
  );
}

function Transition({ of: { from, to, at, reason } }: { of: BgpTransition }) {
  return (
    <li className="flex flex-col gap-0.5 border-b py-2 last:border-b-0">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={transitionLook(to)} />
        {from ? <span className="text-muted text-xs">before: {transitionLook(from).word.toLowerCase()}</span> : null}
        <span className="ml-auto text-muted text-xs">
          <Age at={at} />
        </span>
      </span>
      {reason ? <span className="break-words text-muted">{reason}</span> : null}
    </li>
  );
}
