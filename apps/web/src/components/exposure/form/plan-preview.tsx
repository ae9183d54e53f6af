"use client";
import type { CreateExposure, ExposurePlan, PlannedLoadBalancer } from "@fairlead/domain/exposure";
import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { describePort } from "@/components/words/ports.ts";

/** A preview of what a spec creates. Its height is fixed, so that typing doesn't move the page. */
export function PlanPreview(props: {
  /** What is still missing; null once the spec is complete. */
  missing: string | null;
  problem: string | null;
  plan: ExposurePlan | undefined;
  ports: CreateExposure["ports"];
  /** The address that an existing exposure keeps, if any. */
  kept?: string | undefined;
  /** More about the spec, below the plan. */
  children?: ReactNode;
}) {
  const { missing, problem, plan } = props;
  return (
    <section aria-label="Preview" aria-live="polite" className="rounded-lg border bg-surface p-4">
      <h2 className="font-semibold text-base">Preview</h2>
      <div className="mt-2 min-h-40 text-sm">
        {missing ? (
          <p className="text-muted">{missing}</p>
        ) : problem ? (
          <p className="flex gap-2">
            <StatusGlyph shape="square" className="mt-1 text-bad" />
            {problem}
          </p>
        ) : plan ? (
          <Plan plan={plan} ports={props.ports} kept={props.kept} />
        ) : (
          <div className="flex flex-col gap-3" aria-hidden>
            <Skeleton className="w-full" />
            <Skeleton className="w-2/3" />
          </div>
        )}
        {props.children}
      </div>
    </section>
  );
}

type Kept = { ports: CreateExposure["ports"]; kept: string | undefined };

function Plan({ plan, ports, kept }: { plan: ExposurePlan } & Kept) {
  return (
    <div className="flex flex-col gap-3">
      <p>{plan.summary}</p>
      {plan.loadBalancers.map((balancer) => (
        <Balancer key={balancer.name} balancer={balancer} ports={ports} kept={kept} />
      ))}
      {plan.perInstance ? (
        <p className="text-muted">The balancer and address of each instance appear once its cluster is read.</p>
      ) : null}
      {plan.warnings.map((warning) => (
        <p key={warning} className="flex gap-2 border-t pt-3">
          <StatusGlyph shape="triangle" className="mt-1 text-warn" />
          {warning}
        </p>
      ))}
    </div>
  );
}

function describeReplicas({ kind, replicas }: PlannedLoadBalancer): string {
  if (kind === "cloud") return ", managed by the provider";
  return replicas === 0 ? ", a replica on each node with an agent" : `, ${countOf(replicas, "replica")}`;
}

function Balancer({ balancer, ports, kept }: { balancer: PlannedLoadBalancer } & Kept) {
  return (
    <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1 border-t pt-3">
      <dt className="text-muted">Balancer</dt>
      <dd>
        {balancer.name}
        {describeReplicas(balancer)}
      </dd>
      <dt className="text-muted">Address</dt>
      <dd>
        <PlannedAddress balancer={balancer} kept={kept} />
      </dd>
      <dt className="text-muted">Ports</dt>
      <dd className="tabular">
        {ports.map((port) => (
          <span key={`${port.protocol} ${port.port}`} className="block">
            {describePort(port)}
          </span>
        ))}
      </dd>
    </dl>
  );
}

function PlannedAddress({ balancer, kept }: { balancer: PlannedLoadBalancer; kept: string | undefined }) {
  const address = kept ?? balancer.address;
  if (!address)
    return (
      <span className="text-muted">
        {balancer.kind === "cloud" ? "assigned by the provider" : "next free address of the pool"}
      </span>
    );
  return (
    <>
      <Mono>{address}</Mono>
      <span className="block text-muted text-xs">
        {kept ? "unchanged" : "next free address, assigned when you create it"}
      </span>
    </>
  );
}
