"use client";
import type { Exposure, TicketRotationDetail } from "@fairlead/domain/exposure";
import { type TicketPhase, ticketPhaseFacts, ticketPhases } from "@fairlead/domain/load-balancer";
import { Facts } from "@/components/table/facts.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Until } from "@/components/ui/time/until.tsx";
import { ticketPhaseLooks } from "@/components/words/ticket-keys.ts";
import { RotateButton } from "./rotate-button.tsx";

type Props = { exposure: Exposure; rotation: TicketRotationDetail };

/** The rotation of managed ticket keys: its phase, what that waits for, and what is next. */
export function TicketRotation({ exposure, rotation }: Props) {
  const { phase, epoch, otherEpoch, since, message } = rotation;
  return (
    <Section
      title="Ticket keys"
      docs="managedTicketKeys"
      actions={<RotateButton exposure={exposure} rotation={rotation} />}
    >
      <div className="flex flex-col gap-4">
        <Phases phase={phase} />
        <Facts
          rows={[
            [
              "Phase",
              <span key="phase" className="inline-flex flex-wrap items-baseline gap-x-2">
                <StatusBadge status={ticketPhaseLooks[phase]} />
                <span className="text-muted">
                  started <Age at={since} />
                </span>
              </span>,
            ],
            ["Status", <LongText key="status" text={message} />],
            ["Keys", describeEpochs(phase, epoch, otherEpoch)],
            ["Next", <Next key="next" rotation={rotation} />],
          ]}
        />
      </div>
    </Section>
  );
}

/** The phases in their order, with the current one marked. */
function Phases({ phase }: { phase: TicketPhase }) {
  return (
    <ol aria-label="Phases" className="grid gap-2 sm:grid-cols-4">
      {ticketPhases.map((each) => (
        <li
          key={each}
          aria-current={each === phase ? "step" : undefined}
          className={`rounded-md border px-3 py-2 text-sm ${
            each === phase ? "border-accent bg-accent-soft/40" : "border-line text-muted"
          }`}
        >
          <span className="block font-medium">{ticketPhaseFacts[each].title}</span>
          <span className="block text-xs">{ticketPhaseFacts[each].summary}</span>
        </li>
      ))}
    </ol>
  );
}

function describeEpochs(phase: TicketPhase, epoch: number, other: number | null): string {
  if (other === null) return `epoch ${epoch}`;
  return phase === "adding" ? `epoch ${epoch}, and ${other} next` : `epoch ${epoch}, and ${other} until it is dropped`;
}

function Next({ rotation: { phase, nextAt, isRequested } }: { rotation: TicketRotationDetail }) {
  if (isRequested) return "the next rotation starts within a minute";
  if (nextAt === null) return "waits for the servers and replicas above";
  return (
    <>
      {phase === "retiring" ? "former key is dropped" : "next rotation starts"}: <Until at={nextAt} past="now" />
    </>
  );
}
