import { newId } from "@fairlead/domain";
import type { DesiredExposure } from "@fairlead/domain/exposure";
import type { KubernetesAccess } from "@fairlead/domain/kubernetes";
import { parse } from "yaml";
import type { ExposureDriver } from "../../exposure-driver.ts";
import { detailOf, explainKubernetesError } from "../access/explain-error.ts";
import type { KubernetesCalls } from "../api/calls.ts";
import { connect } from "../api/connect.ts";
import { Turns } from "../api/turns.ts";
import { kubernetesDriver } from "../driver.ts";
import { readMetrics } from "../metrics/read-metrics.ts";
import { ClusterView, type Sight } from "../view/view.ts";
import type { ControlPlane } from "./control-plane.ts";

export type Stage = {
  /** The driver's calls. */
  calls: KubernetesCalls;
  driver: ExposureDriver;
  view: ClusterView;
  /** All observed changes. */
  sights: Sight[];
  troubles: unknown[];
  /** Makes the next write hang until it is aborted. */
  stall: () => { reached: Promise<void> };
  close: () => Promise<void>;
};

type KubeconfigFile = { clusters: { cluster: { server: string } }[]; users: { user: { token?: string } }[] };

/** openStage opens a driver of a cluster as a controller does, with a token from a kubeconfig. */
export function openStage(
  control: ControlPlane,
  { kubeconfig = control.kubeconfig, ...options }: { kubeconfig?: string; passMs?: number; now?: () => Date } = {},
): Stage {
  const { clusters, users } = parse(kubeconfig) as KubeconfigFile;
  const access: KubernetesAccess = {
    type: "kubeconfig",
    server: clusters[0]?.cluster.server ?? "",
    certificateAuthority: control.ca,
    tlsServerName: null,
    auth: { type: "token", token: users[0]?.user.token ?? "" },
  };
  const api = connect(access, { turns: new Turns() });
  const explain = (error: unknown, what: string) => explainKubernetesError(error, { what, access });
  const sights: Sight[] = [];
  const troubles: unknown[] = [];
  const hooked = hook(api.calls);
  const view = new ClusterView(api.reads, {
    onSight: (sight) => sights.push(sight),
    onWhole: () => {},
    onTrouble: (trouble) => {
      if (trouble !== null) troubles.push(trouble);
    },
    times: { firstRetryMs: 50, lastRetryMs: 500, silentMs: 3_000 },
  });
  return {
    calls: api.calls,
    driver: kubernetesDriver(
      {
        id: newId("cluster"),
        name: "fra-01",
        calls: hooked.calls,
        view,
        readMetrics: (namespaces, signal) => readMetrics(api.reads, namespaces, signal),
        explain,
        detailOf: (error) => detailOf(error, access),
      },
      // A controller retries; a test calls once, while other suites keep the apiserver busy.
      { wholeMs: 60_000, ...options },
    ),
    view,
    sights,
    troubles,
    stall: hooked.stall,
    async close() {
      await view.stop();
      await api.close();
    },
  };
}

function hook(real: KubernetesCalls): { calls: KubernetesCalls; stall: Stage["stall"] } {
  let onReached: (() => void) | null = null;
  return {
    calls: {
      ...real,
      applyService(service, signal) {
        const reached = onReached;
        if (!reached) return real.applyService(service, signal);
        reached();
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            onReached = null;
            reject(signal.reason);
          });
        });
      },
    },
    stall() {
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      onReached = resolve;
      return { reached };
    },
  };
}

/** exposureIn returns a spec that exposes each pod of a stateful set with this many instances. */
export function exposureIn(namespace: string, name = "redis", instances = 2): DesiredExposure {
  return {
    id: newId("exposure"),
    organizationId: newId("organization"),
    cluster: { id: newId("cluster"), name: "fra-01", kind: "kubernetes" },
    name: "cache",
    workload: { namespace, kind: "stateful-set", name },
    ports: [{ port: 6379, protocol: "tcp" }],
    strategy: { type: "per-replica", addressing: "dedicated" },
    healthCheck: null,
    labels: {},
    generation: 1,
    deletedAt: null,
    applied: false,
    loadBalancers: Array.from({ length: instances }, (_, i) => balancerOf(`${name}-${i}`)),
  };
}

export function balancerOf(
  instance: string | null,
  name = instance ?? "cache",
): DesiredExposure["loadBalancers"][number] {
  return {
    id: newId("loadBalancer"),
    name,
    kind: "cloud",
    instance,
    instanceGoneAt: null,
    address: null,
    deletedAt: null,
    replicas: [],
  };
}
