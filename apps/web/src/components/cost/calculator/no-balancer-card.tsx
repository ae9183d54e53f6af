"use client";
import { exampleBackends, type NoBalancer } from "@fairlead/domain/cost";
import { Button } from "@/components/ui/action/button.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { CardHead } from "./card-head.tsx";
import { Disclosure } from "./disclosure.tsx";
import type { SetParams } from "./profile-form.tsx";
import { gradeLooks } from "./words.ts";

/** As many as the reasons of the other cards. */
const maxPoints = 5;

/** The first option: whether one backend carries the traffic, and what is lost without a balancer. */
export function NoBalancerCard({ weighed, setParams }: { weighed: NoBalancer; setParams: SetParams }) {
  const { fits, reasons, losses, limitMbps } = weighed;
  const points = [...reasons, ...(fits === false ? [] : losses)];
  return (
    <article
      aria-label="No balancer"
      className="flex min-w-0 flex-col gap-2 self-stretch rounded-lg border border-dashed bg-raised p-4 md:max-xl:col-span-2"
    >
      <CardHead title="First option" badge={<StatusBadge status={noBalancerLook(weighed)} className="text-xs" />} />
      <p className="font-semibold text-base leading-snug">No balancer</p>
      <ul className="flex list-disc flex-col gap-1 pl-4 text-sm marker:text-muted">
        {points.slice(0, maxPoints).map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {points.length > maxPoints ? (
        <Disclosure title={`${points.length - maxPoints} more`}>
          {() => points.slice(maxPoints).map((point) => <p key={point}>{point}</p>)}
        </Disclosure>
      ) : null}
      {limitMbps === null ? <Examples setParams={setParams} /> : null}
    </article>
  );
}

export function noBalancerLook({ fits, grade }: NoBalancer) {
  return gradeLooks[fits === false ? "misfit" : (grade ?? "unknown")];
}

function Examples({ setParams }: { setParams: SetParams }) {
  return (
    <div className="mt-auto flex flex-wrap items-center gap-1.5 pt-1 text-xs print:hidden">
      <Button size="sm" onClick={() => setParams({ mode: "detailed" })}>
        Enter capacity
      </Button>
      <span className="text-muted">or try</span>
      {exampleBackends.map(({ name, mbps }) => (
        <Button
          key={name}
          size="sm"
          variant="quiet"
          title={`Measured on a ${name} with SPECweb banking ("How to choose a load balancer for the cloud")`}
          onClick={() => setParams({ backendMbps: String(mbps), corePercentPerMbps: null })}
        >
          {mbps} Mbit/s
        </Button>
      ))}
    </div>
  );
}
