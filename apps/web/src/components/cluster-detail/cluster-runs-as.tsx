"use client";
import { anyRegion, type Cluster, providerNames, type RunsAs } from "@fairlead/domain";
import { Coins } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Facts } from "@/components/table/facts.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Section } from "@/components/ui/section.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { RunsAsForm } from "./runs-as-form.tsx";

/** As what the cluster's balancers are paid. */
export function ClusterRunsAs({ cluster }: { cluster: Cluster }) {
  const [isOpen, setOpen] = useState(false);
  const { runsAs } = cluster;
  return (
    <div id="runs-as" className="scroll-mt-16">
      <Section
        title="Runs as"
        actions={
          <>
            <TextLink href={`/costs/running?cluster=${cluster.id}`} className="text-accent text-sm">
              See what it costs
            </TextLink>
            <GuardedButton permission="cluster:write" size="sm" onClick={() => setOpen(true)}>
              <Coins aria-hidden />
              {runsAs ? "Change" : "Tell"}
            </GuardedButton>
          </>
        }
      >
        {runsAs ? (
          <RunsAsFacts runsAs={runsAs} />
        ) : (
          <p className="py-2 text-muted text-sm">
            Nobody says where it runs and on which machines, so what its load balancers cost is unknown.
          </p>
        )}
      </Section>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        wide
        title={`What ${cluster.name} runs as`}
        description="Its load balancers are paid as this, from the first hour that was metered on."
      >
        {isOpen ? <RunsAsForm cluster={cluster} onDone={() => setOpen(false)} /> : null}
      </Dialog>
    </div>
  );
}

function RunsAsFacts({ runsAs }: { runsAs: RunsAs }) {
  const { provider, region, machine, machineShare, zones, responseShare, internetShare } = runsAs;
  return (
    <Facts
      rows={[
        ["Provider", region === anyRegion ? providerNames[provider] : `${providerNames[provider]}, ${region}`],
        [
          "Machines of our balancers",
          machine ? (
            <span key="machine">
              <Mono>{machine}</Mono>
              {machineShare < 1 ? `, ${percent(machineShare)} of each` : null}
            </span>
          ) : (
            <span key="machine" className="text-muted">
              not said
            </span>
          ),
        ],
        ["Zones of a bought balancer", zones],
        [
          "Goes out to clients",
          responseShare === null ? (
            <span key="share" className="text-muted">
              not said
            </span>
          ) : (
            `${percent(responseShare)} of the traffic, where that is not measured`
          ),
        ],
        ["Of that to the internet", internetShare === 0 ? "not counted" : percent(internetShare)],
      ]}
    />
  );
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(4))} %`;
}
