"use client";
import type { LoadBalancerDetail } from "@fairlead/domain/load-balancer";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";
import { NoAddress } from "@/components/address-map/no-address.tsx";
import { type Figure, Figures } from "@/components/detail/figures.tsx";
import { Share } from "@/components/detail/share.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { describePorts } from "@/components/words/ports.ts";

export const balancerFigureLabels = ["Address", "Replicas ready", "Backends up", "Draining"];

/** The address of a load balancer, and the state of its replicas and backends. */
export function BalancerFigures({ balancer }: { balancer: LoadBalancerDetail }) {
  const age = balancer.observedAt ? (
    <>
      seen <Age at={balancer.observedAt} expectedEveryMs={exposureLookedAtEveryMs} />
    </>
  ) : (
    "not observed yet"
  );
  const draining = balancer.backends.filter((each) => each.state === "draining").length;
  const figures: Figure[] = [
    {
      label: "Address",
      value: balancer.address ? (
        <Mono className="[&>span]:text-lg [&>span]:tracking-normal">{balancer.address}</Mono>
      ) : (
        <NoAddress deleting={balancer.phase === "deleting"} />
      ),
      note: describePorts(balancer.ports),
      stale: !balancer.address,
    },
    {
      label: "Replicas ready",
      value: balancer.kind === "cloud" ? "–" : <Share part={balancer.replicasReady} total={balancer.replicasDesired} />,
      note: balancer.kind === "cloud" ? "managed by the provider" : age,
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
