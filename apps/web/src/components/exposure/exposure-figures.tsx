"use client";
import type { Exposure } from "@fairlead/domain/exposure";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";
import { NoAddress } from "@/components/address-map/no-address.tsx";
import { type Figure, Figures } from "@/components/detail/figures.tsx";
import { Share } from "@/components/detail/share.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import type { BalancerSums } from "./balancer-sums.ts";

export const exposureFigureLabels = ["Address", "Load balancers serving", "Replicas ready", "Backends up"];

/** The address of the exposure, and how much of it is ready. The sums are null until they are loaded, or if that failed. */
export function ExposureFigures({
  exposure,
  sums,
  failed,
}: {
  exposure: Exposure;
  sums: BalancerSums | null;
  failed: boolean;
}) {
  const [first, ...others] = exposure.addresses;
  const isMissing = !sums && failed;
  const age = isMissing ? "could not be loaded" : <Seen at={sums?.observedAt ?? exposure.observedAt} />;
  const missing = isMissing ? "unknown" : <Skeleton className="my-1 h-6 w-16" />;
  const figures: Figure[] = [
    {
      label: others.length > 0 ? "Addresses" : "Address",
      value: first ? (
        <Mono className="[&>span]:text-lg [&>span]:tracking-normal">{first}</Mono>
      ) : (
        <NoAddress deleting={exposure.deletedAt !== null} />
      ),
      note: others.length > 0 ? `and ${others.length} more` : null,
      stale: !first,
    },
    {
      label: "Load balancers serving",
      value: sums ? <Share part={sums.serving} total={sums.total} /> : missing,
      note: age,
      stale: isMissing,
      tone: sums && sums.total > 0 && sums.serving === 0 && exposure.phase === "failed" ? "bad" : undefined,
    },
    {
      label: "Replicas ready",
      value: sums ? <Share part={sums.replicasReady} total={sums.replicasDesired} /> : missing,
      note: age,
      stale: isMissing,
    },
    {
      label: "Backends up",
      value: sums ? <Share part={sums.backendsUp} total={sums.backendsTotal} /> : missing,
      note: age,
      stale: isMissing,
      tone: sums && sums.backendsTotal > 0 && sums.backendsUp === 0 ? "bad" : undefined,
    },
  ];
  return <Figures figures={figures} />;
}

function Seen({ at }: { at: Date | null }) {
  if (!at) return "not observed yet";
  return (
    <>
      seen <Age at={at} expectedEveryMs={exposureLookedAtEveryMs} />
    </>
  );
}
