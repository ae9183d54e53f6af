"use client";
import type { Move, MoveGate, MoveState, MoveStep } from "@fairlead/domain/move";
import { useQuery } from "@tanstack/react-query";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Instant } from "@/components/ui/time/instant.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { MoveControls } from "./move-controls.tsx";
import { useLatestMove } from "./use-latest-move.ts";

const words: Record<MoveState, string> = {
  planned: "Planned",
  watching: "Watching",
  paused: "Paused",
  "rolling-back": "Rolling back",
  done: "Done",
  "rolled-back": "Rolled back",
  cancelled: "Cancelled",
};
const gateWords: Record<MoveGate["name"], string> = {
  backends: "Backends up",
  errors: "Dropped packets",
  latency: "Set-up, p99",
  capacity: "Capacity",
};
const gateStates: Record<MoveGate["state"], string> = { open: "Open", closed: "Closed", unmeasured: "Not measured" };

/** The last move of an exposure: its steps, its gates, and the shares over time. Nothing if it was never moved. */
export function MovePanel({ exposureId }: { exposureId: string }) {
  const latest = useLatestMove(exposureId);
  if (!latest) return null;
  return <MoveSection latest={latest} />;
}

function MoveSection({ latest }: { latest: Move }) {
  const trpc = useTRPC();
  const interval = useLiveInterval(2_000);
  const detail = useQuery({
    ...trpc.move.get.queryOptions({ id: latest.id }),
    refetchInterval: latest.endedAt ? false : interval,
  });
  const move = detail.data ?? latest;
  return (
    <Section
      title={`Move to ${move.toClusterName}`}
      hint={`from ${move.fromClusterName}, by ${move.startedBy}`}
      className="px-4 pt-6 pb-4 md:px-6"
      actions={move.endedAt ? null : <MoveControls move={move} />}
    >
      <div className="flex flex-col gap-4">
        <p role="status">
          <strong>{words[move.state]}</strong>
          {move.step > 0 && !move.endedAt ? `, step ${move.step} of ${move.steps.length}` : ""}: {move.toClusterName}{" "}
          has {move.share} %, {move.fromClusterName} {100 - move.share} %. Steps: {move.steps.join(", ")} %.{" "}
          {move.nextStepAt && !move.endedAt ? (
            <>
              Next change at <Instant at={move.nextStepAt} /> if all gates stay open.{" "}
            </>
          ) : null}
          {move.reason ? <LongText text={move.reason} /> : null}
        </p>
        {detail.error ? <ErrorState what="Could not load the move" message={problemOf(detail.error).message} /> : null}
        <RowsTable<MoveGate>
          label="Gates"
          rows={move.figures}
          rowKey={(each) => each.name}
          empty="Not judged yet."
          columns={[
            { label: "Gate", cell: ({ name }) => gateWords[name] },
            { label: "State", cell: ({ state }) => gateStates[state] },
            { label: "Figure", wraps: true, cell: ({ message }) => message },
            { label: "Judged", align: "end", cell: () => <Age at={move.judgedAt} /> },
          ]}
        />
        <RowsTable<MoveStep>
          label="Shares over time"
          rows={(detail.data?.history ?? []).toReversed()}
          rowKey={(each) => `${each.at.getTime()} ${each.state} ${each.share}`}
          empty="Nothing has happened yet."
          columns={[
            { label: "Time", cell: ({ at }) => <Instant at={at} /> },
            { label: move.toClusterName, align: "end", cell: ({ share }) => `${share} %` },
            { label: "State", cell: ({ state }) => words[state] },
            { label: "What happened", wraps: true, cell: ({ message }) => <LongText text={message} /> },
          ]}
        />
      </div>
    </Section>
  );
}
