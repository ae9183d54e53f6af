import { strategies } from "@fairlead/domain/exposure";
import type { LoadBalancerDetail } from "@fairlead/domain/load-balancer";
import { Facts } from "@/components/table/facts.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { describePort } from "@/components/words/ports.ts";

/** The properties of a load balancer. */
export function BalancerFacts({ balancer }: { balancer: LoadBalancerDetail }) {
  return (
    <Facts
      rows={[
        [
          "Exposure",
          <TextLink key="exposure" href={`/exposures/${balancer.exposureId}`}>
            {balancer.exposureName}
          </TextLink>,
        ],
        [
          "Cluster",
          <TextLink key="cluster" href={`/clusters/${balancer.clusterId}`}>
            {balancer.clusterName}
          </TextLink>,
        ],
        ["Kind", balancer.kind === "fairlead" ? "Fairlead" : "Cloud provider"],
        ["Strategy", strategies[balancer.strategy].title],
        ["Instance", balancer.instance],
        [
          "Ports",
          <ul key="ports" className="tabular">
            {balancer.ports.map((port) => (
              <li key={`${port.protocol} ${port.port}`}>{describePort(port)}</li>
            ))}
          </ul>,
        ],
        ["Created", <Age key="created" at={balancer.createdAt} />],
        ["ID", <Mono key="id">{balancer.id}</Mono>],
      ]}
    />
  );
}
