"use client";
import type { CloudRoute, Cluster } from "@fairlead/domain";
import { Cloud } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { cloudMethodWords } from "@/components/routing/cloud-address-table.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Section } from "@/components/ui/section.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { CloudRouteForm } from "./cloud-route-form.tsx";

/** How a cloud brings the cluster's addresses to replicas, where no router listens to BGP. */
export function ClusterCloudRoute({ cluster }: { cluster: Cluster }) {
  const [isOpen, setOpen] = useState(false);
  const { cloudRoute } = cluster;
  return (
    <div id="cloud-route" className="scroll-mt-16">
      <Section
        title="Cloud route"
        actions={
          <>
            {cloudRoute ? (
              <TextLink href={`/routing?cluster=${cluster.id}`} className="text-accent text-sm">
                See where addresses are
              </TextLink>
            ) : null}
            <GuardedButton permission="cluster:write" size="sm" onClick={() => setOpen(true)}>
              <Cloud aria-hidden />
              {cloudRoute ? "Change" : "Set up"}
            </GuardedButton>
          </>
        }
      >
        {cloudRoute ? (
          <CloudRouteFacts settings={cloudRoute} />
        ) : (
          <p className="py-2 text-muted text-sm">
            No cloud is asked to bring addresses anywhere. Where no router listens to BGP, as in a VPC, each address can
            lead to one healthy replica, and to another when that one fails.
          </p>
        )}
      </Section>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        wide
        title={`Cloud route of ${cluster.name}`}
        description="How AWS brings its addresses to a healthy replica."
      >
        {isOpen ? <CloudRouteForm cluster={cluster} onDone={() => setOpen(false)} /> : null}
      </Dialog>
    </div>
  );
}

function CloudRouteFacts({ settings }: { settings: CloudRoute }) {
  const { region, endpoint, vpcId, method } = settings;
  return (
    <Facts
      rows={[
        ["Cloud", `AWS, ${region}`],
        ["By", cloudMethodWords[method]],
        ...(method === "route" ? [row("Route tables", settings.routeTables)] : []),
        ...(method === "elastic-address"
          ? [
              row(
                "Elastic IPs",
                settings.elasticAddresses.map((each) => `${each.address} ${each.allocationId}`),
              ),
            ]
          : []),
        ...(vpcId ? [row("VPC", [vpcId])] : []),
        ...(endpoint ? [row("Endpoint", [endpoint])] : []),
      ]}
    />
  );
}

function row(label: string, values: string[]): [string, React.ReactNode] {
  return [
    label,
    <span key={label} className="flex flex-wrap gap-x-4 gap-y-1">
      {values.map((each) => (
        <Mono key={each}>{each}</Mono>
      ))}
    </span>,
  ];
}
