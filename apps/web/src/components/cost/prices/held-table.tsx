import type { HeldPrice } from "@fairlead/domain/cost";
import type { ReactNode } from "react";
import { Linked } from "@/components/cost/calculator/linked.tsx";
import { regionText } from "@/components/cost/calculator/words.ts";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { heldLooks, tierLines } from "./refresh-text.ts";

/** Held prices: the current price, the price in the feed, and why it needs a decision. */
export function HeldTable(props: {
  held: HeldPrice[] | undefined;
  busy: boolean;
  onDecide: (verdict: "accept" | "reject", held: HeldPrice) => void;
  empty: ReactNode;
}) {
  return (
    <RowsTable<HeldPrice>
      label="Held prices"
      rows={props.held}
      rowKey={({ id }) => id}
      stacks
      empty={props.empty}
      columns={[
        {
          label: "Item",
          className: "align-top pt-2",
          cell: ({ sku, region }) => (
            <span className="flex flex-col">
              <span className="font-mono">{sku}</span>
              <span className="text-muted text-xs">{regionText(region)}</span>
            </span>
          ),
        },
        {
          label: "Current",
          className: "align-top pt-2",
          cell: ({ before, beforeAsOf, unit, currency }) => (
            <Tiers
              lines={tierLines(before, unit, currency)}
              none="no price"
              note={beforeAsOf ? `of ${beforeAsOf}` : null}
            />
          ),
        },
        {
          label: "In the feed",
          className: "align-top pt-2",
          cell: ({ after, asOf, unit, currency }) => (
            <Tiers lines={tierLines(after, unit, currency)} none="removed" note={`of ${asOf}`} strong />
          ),
        },
        {
          label: "Reason",
          wraps: true,
          className: "align-top pt-2 max-w-xl",
          cell: ({ reasons, source, after }) => (
            <span className="flex flex-col gap-0.5">
              {reasons.map(({ kind, message }) => (
                <span key={kind}>{message}</span>
              ))}
              {after.length > 0 ? (
                <span className="break-all text-muted text-xs">
                  <Linked text={source} />
                </span>
              ) : null}
            </span>
          ),
        },
        {
          label: "Decision",
          hidesLabel: true,
          align: "end",
          className: "align-top pt-1.5",
          cell: (held) => <Decision held={held} busy={props.busy} onDecide={props.onDecide} />,
        },
      ]}
    />
  );
}

function Tiers(props: { lines: readonly string[]; none: string; note: string | null; strong?: boolean }) {
  if (props.lines.length === 0)
    return (
      <span className="flex flex-col">
        <span className="text-silent">{props.none}</span>
      </span>
    );
  return (
    <span className="flex flex-col">
      {props.lines.map((line) => (
        <span key={line} className={props.strong ? "font-medium" : undefined}>
          {line}
        </span>
      ))}
      {props.note ? <span className="text-muted text-xs">{props.note}</span> : null}
    </span>
  );
}

function Decision({
  held,
  busy,
  onDecide,
}: {
  held: HeldPrice;
  busy: boolean;
  onDecide: (verdict: "accept" | "reject", held: HeldPrice) => void;
}) {
  if (held.state !== "waiting")
    return (
      <span className="flex flex-col items-end max-md:items-start">
        <StatusBadge status={heldLooks[held.state]} />
        {held.decidedBy ? (
          <span className="text-muted text-xs">
            by {held.decidedBy}, <Age at={held.decidedAt} />
          </span>
        ) : null}
      </span>
    );
  const what = `${held.sku}, ${regionText(held.region)}`;
  return (
    <span className="inline-flex gap-2">
      <GuardedButton
        permission="price:write"
        size="sm"
        disabled={busy}
        aria-label={`Reject ${what}`}
        onClick={() => onDecide("reject", held)}
      >
        Reject
      </GuardedButton>
      <GuardedButton
        permission="price:write"
        size="sm"
        disabled={busy}
        aria-label={`Accept ${what}`}
        onClick={() => onDecide("accept", held)}
      >
        Accept
      </GuardedButton>
    </span>
  );
}
