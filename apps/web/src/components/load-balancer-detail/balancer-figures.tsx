"use client";
import { exposureLookedAtEveryMs, type LoadBalancerDetail } from "@fairlead/domain";
import { type Figure, Figures } from "@/components/detail/figures.tsx";
import { NoneYet } from "@/components/detail/none-yet.tsx";
import { Share } from "@/components/detail/share.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { describePorts } from "@/components/words/ports.ts";

export const balancerFigureLabels = ["Address", "Replicas ready", "Backends up", "Draining"];

/** Where clients come in, and what stands behind that. */
export function BalancerFigures({ balancer }: { balancer: LoadBalancerDetail }) {
  const age = balancer.observedAt ? (
    <>
      seen <Age at={balancer.observedAt} expectedEveryMs={exposureLookedAtEveryMs} />
    </>
  ) : (
    "not seen yet"
  );
  const draining = balancer.backends.filter((each) => each.state === "draining").length;
  const figures: Figure[] = [
    {
      label: "Address",
      value: balancer.address ? (
        <Mono className="[&>span]:text-lg [&>span]:tracking-normal">{balancer.address}</Mono>
      ) : (
        <NoneYet deleting={balancer.phase === "deleting"} />
      ),
      note: describePorts(balancer.ports),
      stale: !balancer.address,
    },
    {
      label: "Replicas ready",
      value: balancer.kind === "cloud" ? "–" : <Share part={balancer.replicasReady} total={balancer.replicasDesired} />,
      note: balancer.kind === "cloud" ? "the provider's own" : age,
    },
    {
      label: "Backends up",
      value: <Share part={balancer.backendsUp} total={balancer.backendsTotal} />,
      note: age,
      tone: balancer.backendsTotal > 0 && balancer.backendsUp === 0 ? "bad" : undefined,
    },
    { label: "Draining", value: draining, note: countOf(draining, "backend") },
  ];
  return <Figures figures={figures} />;
}
