import type { KubernetesObject, Nodes } from "@fairlead/drivers/kubernetes-testing";

export type ReadyPod = { name: string; node: string; address: string; restarts: number };

type Pod = KubernetesObject & {
  spec: { nodeName: string };
  status: {
    podIP?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { restartCount: number }[];
  };
};

/** readyPods returns the pods of an application that are ready, and aren't being deleted. */
export async function readyPods({ control }: Nodes, app: string, namespace = "default"): Promise<ReadyPod[]> {
  const { items } = await control.api.get<{ items: Pod[] }>(
    `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(`app=${app}`)}`,
  );
  return items
    .filter(({ metadata, status }) => {
      const isReady = status.conditions?.some((each) => each.type === "Ready" && each.status === "True");
      return isReady && !metadata.deletionTimestamp;
    })
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      node: spec.nodeName,
      address: status.podIP ?? "",
      restarts: Math.max(0, ...(status.containerStatuses ?? []).map((each) => each.restartCount)),
    }));
}
