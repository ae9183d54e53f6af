import type { KubernetesApi, KubernetesObject } from "./kubernetes-api.ts";

type Node = KubernetesObject & { status: { conditions?: { type: string; status: string }[] } };

/** createNodes creates nodes for kwok: large enough for any test, each with its own address. */
export async function createNodes(api: KubernetesApi, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  // A few at a time, because a thousand nodes would be a thousand connections.
  while (numbers.length > 0)
    await Promise.all(numbers.splice(0, 20).map((number) => api.create("/api/v1/nodes", node(number))));
}

export async function areReady(api: KubernetesApi, count: number): Promise<boolean> {
  const { items } = await api.get<{ items: Node[] }>("/api/v1/nodes");
  return items.filter(isReady).length >= count;
}

function isReady({ status }: Node): boolean {
  return status.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false;
}

function node(number: number): object {
  const name = `node-${number}`;
  const room = { cpu: "64", memory: "256Gi", pods: "250" };
  return {
    metadata: {
      name,
      annotations: { "kwok.x-k8s.io/node": "fake" },
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "topology.kubernetes.io/zone": `zone-${((number - 1) % 3) + 1}`,
      },
    },
    status: {
      capacity: room,
      allocatable: room,
      addresses: [
        { type: "InternalIP", address: `10.240.${number >> 8}.${number & 255}` },
        { type: "Hostname", address: name },
      ],
    },
  };
}
