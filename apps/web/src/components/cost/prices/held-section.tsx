"use client";
import { type HeldPrice, type PriceRefreshDetail, priceFeeds } from "@fairlead/domain/cost";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { ListProblem } from "@/components/settings/list-problem.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { FormProblem } from "@/components/ui/form/form-foot.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { HeldTable } from "./held-table.tsx";
import { consequenceOf, describeRead } from "./refresh-text.ts";

type Verdict = "accept" | "reject";

/** The held prices of a refresh, to accept or reject. */
export function HeldSection({ id, onClose }: { id: string; onClose: (() => void) | null }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState<Verdict | null>(null);
  const query = useQuery(trpc.priceRefresh.get.queryOptions({ id }));
  const onSuccess = (detail: PriceRefreshDetail) => {
    queryClient.setQueryData(trpc.priceRefresh.get.queryKey({ id }), detail);
    return queryClient.invalidateQueries(trpc.priceRefresh.list.pathFilter());
  };
  const accept = useMutation(trpc.priceRefresh.accept.mutationOptions({ onSuccess }));
  const reject = useMutation(trpc.priceRefresh.reject.mutationOptions({ onSuccess }));
  const decide = (verdict: Verdict, heldIds: string[]) =>
    (verdict === "accept" ? accept : reject).mutateAsync({ id, heldIds });

  const { data } = query;
  if (query.error && !data) return <ListProblem error={query.error} onRetry={() => void query.refetch()} />;
  const waiting = data?.held.filter(({ state }) => state === "waiting") ?? [];
  const failed = accept.error ?? reject.error;
  return (
    <Section
      title={data ? priceFeeds[data.feed].title : "Held prices"}
      hint={data ? <Hint refresh={data} waiting={waiting} /> : null}
      actions={
        <>
          {waiting.length > 1 ? (
            <>
              <GuardedButton permission="price:write" size="sm" onClick={() => setAsking("reject")}>
                Reject all
              </GuardedButton>
              <GuardedButton permission="price:write" size="sm" onClick={() => setAsking("accept")}>
                Accept all
              </GuardedButton>
            </>
          ) : null}
          {onClose ? (
            <Button size="sm" variant="quiet" onClick={onClose}>
              Close
            </Button>
          ) : null}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <FormProblem message={failed && !asking ? problemOf(failed).message : ""} />
        <HeldTable
          held={data?.held}
          busy={accept.isPending || reject.isPending}
          onDecide={(verdict, held) => void decide(verdict, [held.id]).catch(() => query.refetch())}
          empty={data ? `No held prices in this refresh. ${describeRead(data)}` : null}
        />
      </div>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => setAsking(open ? asking : null)}
        title={`${asking === "reject" ? "Reject" : "Accept"} ${countOf(waiting.length, "price")} of ${data ? priceFeeds[data.feed].title : "the feed"}?`}
        consequence={consequenceOf(asking ?? "accept", waiting)}
        action={asking === "reject" ? "Reject all" : "Accept all"}
        onConfirm={() =>
          decide(
            asking ?? "reject",
            waiting.map((each) => each.id),
          )
        }
      />
    </Section>
  );
}

function Hint({ refresh, waiting }: { refresh: PriceRefreshDetail; waiting: readonly HeldPrice[] }) {
  const parts = [
    waiting.length > 0 ? `${countOf(waiting.length, "price")} of ${refresh.readCount} held` : null,
    refresh.asOf ? `feed date ${refresh.asOf}` : null,
  ].filter((part) => part !== null);
  return <span>{parts.join("; ")}</span>;
}
