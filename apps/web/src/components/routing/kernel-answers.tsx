"use client";
import type { RoutesLeftOut, WrittenRoute } from "@fairlead/domain/routing";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { percent } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { AnswerHead } from "./answer-head.tsx";
import { describeLeftOut } from "./describe-left-out.ts";
import { kernelInput } from "./search-params.ts";

/** The routes of routers whose routes are not all stored, queried from the routers themselves. */
export function KernelAnswers(props: { leftOut: readonly RoutesLeftOut[]; lookedUp: string | null }) {
  const { leftOut, lookedUp } = props;
  const sentence = describeLeftOut(leftOut, lookedUp);
  if (!sentence) return null;
  return (
    <div className="flex flex-col gap-5 pt-3">
      <p className="text-muted text-sm">{sentence}</p>
      {lookedUp
        ? leftOut.map((router) => (
            <KernelAnswer key={`${router.agentId} ${lookedUp}`} router={router} lookedUp={lookedUp} />
          ))
        : null}
    </div>
  );
}

function KernelAnswer({ router, lookedUp }: { router: RoutesLeftOut; lookedUp: string }) {
  const trpc = useTRPC();
  const [passed, setPassed] = useState<string[]>([]);
  const table = useQuery({
    ...trpc.routingTable.query.queryOptions(kernelInput(router.agentId, lookedUp, passed.at(-1) ?? "")),
    // Each query is work for a router, so it runs again only on request.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: 5_000,
    retry: false,
  });
  if (table.isError)
    return (
      <ErrorState
        what={`Could not query ${router.nodeName}`}
        message={problemOf(table.error).message}
        onRetry={() => void table.refetch()}
        retrying={table.isFetching}
      />
    );
  const [answer] = table.data?.answers ?? [];
  if (!answer) return <Skeleton className="w-96 max-w-full" />;
  const { next } = answer;
  return (
    <article aria-label={`Kernel of ${router.nodeName}`} className="flex flex-col gap-1">
      <AnswerHead answer={answer} count={answer.kernelRoutes.length} />
      {answer.state === "answered" ? (
        <RowsTable<WrittenRoute>
          label={`Kernel of ${router.nodeName}`}
          rows={answer.kernelRoutes}
          stacks
          rowKey={({ prefix }) => prefix}
          empty={`The kernel of ${router.nodeName} has no route to ${lookedUp}.`}
          columns={[
            { label: "Prefix", cell: ({ prefix }) => <Mono>{prefix}</Mono> },
            { label: "Next hops", wraps: true, cell: ({ nextHops }) => <NextHops of={nextHops} /> },
          ]}
        />
      ) : null}
      <div className="flex flex-wrap items-center gap-2 pt-2">
        {passed.length > 0 || next ? (
          <>
            <Button size="sm" disabled={passed.length === 0} onClick={() => setPassed(passed.slice(0, -1))}>
              Previous page
            </Button>
            <Button size="sm" disabled={next === null} onClick={() => next && setPassed([...passed, next])}>
              Next page
            </Button>
          </>
        ) : null}
        <Button size="sm" variant="quiet" busy={table.isFetching} onClick={() => void table.refetch()}>
          Refresh
        </Button>
      </div>
    </article>
  );
}

function NextHops({ of }: { of: WrittenRoute["nextHops"] }) {
  return (
    <ul className="flex flex-col gap-1">
      {of.map(({ address, name, weight, share }) => (
        <li key={address} className="flex flex-wrap items-center gap-x-1.5">
          {name || <span className="text-muted">unknown</span>}
          <Mono>{address}</Mono>
          <span className="tabular text-muted text-xs">
            weight {weight}
            {share === null ? "" : ` · ${percent(share)} of new flows`}
          </span>
        </li>
      ))}
    </ul>
  );
}
