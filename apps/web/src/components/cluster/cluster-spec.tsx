import type { Cluster } from "@fairlead/domain/cluster";
import { clusterSettings, clusterSpec } from "@/components/spec/cluster-spec.ts";
import { SpecDialog } from "@/components/spec/spec-dialog.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { CloneCluster } from "./clone-cluster.tsx";
import { ClusterFacts } from "./cluster-facts.tsx";
import { ClusterHistory } from "./cluster-history.tsx";
import { ClusterRunsAs } from "./runs-as/cluster-runs-as.tsx";

/** What users have set of a cluster itself, where it runs, and the versions of both. */
export function ClusterSpec({ cluster }: { cluster: Cluster }) {
  return (
    <>
      <Section
        title="Facts"
        actions={
          <>
            <SpecDialog
              name={cluster.name}
              path="/clusters"
              spec={clusterSpec(cluster)}
              settings={clusterSettings(cluster)}
              hint="Access to its API, cloud metrics and secrets are not in it: set them on this page, or with PATCH /clusters/{id}."
            />
            <CloneCluster cluster={cluster} />
          </>
        }
      >
        <ClusterFacts cluster={cluster} />
      </Section>
      <ClusterRunsAs cluster={cluster} />
      <ClusterHistory cluster={cluster} />
    </>
  );
}
