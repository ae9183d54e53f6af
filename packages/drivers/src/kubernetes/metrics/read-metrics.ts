import type { KubernetesReads } from "../api/connect.ts";
import { each } from "../api/each.ts";
import { parseDurationMs, parseQuantity, sumOf } from "./quantity.ts";

/** Reading is what metrics-server measured of a node or a pod. */
export type Reading = {
  cpuCores: number;
  memoryBytes: number;
  /** The end of the time over which CPU was measured. */
  measuredAt: Date;
  windowMs: number;
};

/** ResourceMetrics are the newest figures of the API metrics.k8s.io. Nodes are by name, pods by namespace/name. */
export type ResourceMetrics = { nodes: Map<string, Reading>; pods: Map<string, Reading> };

/** The API's path: it exists only with metrics-server, or another program that serves it. */
export const metricsPath = "/apis/metrics.k8s.io/v1beta1";

type Listed<T> = { items?: T[] };
type Usage = { cpu?: string; memory?: string };
type Measured = { metadata: { name: string; namespace?: string }; timestamp?: string; window?: string };
type NodeMetrics = Measured & { usage?: Usage };
type PodMetrics = Measured & { containers?: { usage?: Usage }[] };

/** readMetrics reads the figures of all nodes, and of the pods in these namespaces. Figures that can't be read are left out. */
export async function readMetrics(
  reads: Pick<KubernetesReads, "list">,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<ResourceMetrics> {
  const nodes = await reads.list<Listed<NodeMetrics>>(`${metricsPath}/nodes`, { signal });
  const pods: PodMetrics[] = [];
  await each(namespaces, signal, async (namespace) => {
    const path = `${metricsPath}/namespaces/${encodeURIComponent(namespace)}/pods`;
    pods.push(...((await reads.list<Listed<PodMetrics>>(path, { signal })).items ?? []));
  });
  return {
    nodes: readAll(nodes.items ?? [], ({ usage }) => [usage]),
    pods: readAll(pods, ({ containers }) => containers?.map(({ usage }) => usage) ?? []),
  };
}

function readAll<T extends Measured>(
  items: readonly T[],
  usageOf: (item: T) => (Usage | undefined)[],
): Map<string, Reading> {
  return new Map(
    items.flatMap((item) => {
      const { name, namespace } = item.metadata;
      const reading = toReading(item, usageOf(item));
      return reading ? [[namespace ? `${namespace}/${name}` : name, reading] as const] : [];
    }),
  );
}

/** toReading adds up containers. A container that has just started has no figures, and then its pod has none. */
function toReading({ timestamp, window }: Measured, usages: readonly (Usage | undefined)[]): Reading | null {
  const measuredAt = new Date(timestamp ?? "");
  const windowMs = parseDurationMs(window);
  const cpu = usages.map((usage) => parseQuantity(usage?.cpu));
  const memory = usages.map((usage) => parseQuantity(usage?.memory));
  const cpuCores = sumOf(cpu);
  const memoryBytes = sumOf(memory);
  if (cpuCores === null || memoryBytes === null || windowMs === null || Number.isNaN(measuredAt.getTime())) return null;
  return { cpuCores, memoryBytes, measuredAt, windowMs };
}
