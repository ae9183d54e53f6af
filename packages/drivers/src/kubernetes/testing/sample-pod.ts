import type { Pod, Workload } from "../view/objects.ts";

let pods = 0;

/** samplePod returns a pod that is running and ready. */
export function samplePod(name: string, other: Partial<Pod> = {}): Pod {
  pods += 1;
  return {
    namespace: "default",
    name,
    uid: `uid-${pods}`,
    labels: {},
    owner: null,
    createdAt: new Date(Date.UTC(2026, 10, 25) + pods * 1_000).toISOString(),
    nodeName: "node-1",
    addresses: [`10.1.0.${pods % 250}`],
    ready: true,
    terminating: false,
    ended: false,
    limits: { cpuCores: null, memoryBytes: null },
    ...other,
  };
}

export function sampleWorkload(kind: Workload["kind"], name: string, replicas: number): Workload {
  return {
    namespace: "default",
    name,
    uid: `uid-of-${name}`,
    labels: {},
    kind,
    replicas,
    firstOrdinal: 0,
    selector: { app: name },
  };
}
