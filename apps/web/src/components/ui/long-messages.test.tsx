import type { CloudMetricsStatus } from "@fairlead/domain/cloud";
import type { Exposure } from "@fairlead/domain/exposure";
import type { KubernetesStatus } from "@fairlead/domain/kubernetes";
import type { Backend, LoadBalancer } from "@fairlead/domain/load-balancer";
import type { NodeBalancer } from "@fairlead/domain/node";
import type { BgpTransition } from "@fairlead/domain/routing";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Conditions } from "../../app/(console)/exposures/peek.tsx";
import { ReadState, Troubled } from "../cluster/cloud/cluster-cloud-metrics.tsx";
import { ApiState } from "../cluster/kubernetes/cluster-kubernetes.tsx";
import { ExposureSentence } from "../exposure/exposure-page.tsx";
import { BalancerSentence } from "../load-balancer/load-balancer-page.tsx";
import { BackendsTable } from "../load-balancer/parts/backends-table.tsx";
import { CarriedTable } from "../node/node-balancers.tsx";
import { Transition } from "../routing/transition-history.tsx";

/** The output of a program. */
const message = "x".repeat(2_000);
const at = new Date("2026-11-25T12:00:00Z");

const backend: Backend = {
  ...{ id: "be_1", instance: "web-0", protocol: "tcp", address: "10.0.0.1", port: 80, weight: 1, liveConnections: 0 },
  ...{ state: "active", stateSince: at, health: "down", healthSince: at, message, observedAt: at },
};
const carried = {
  ...{ agentId: "agt_1", replicaCount: 1, observedAt: at, reportIntervalMs: 1_000 },
  replicas: [{ loadBalancerId: "lb_1", loadBalancerName: "web", ready: false, message, liveConnections: 0 }],
} as unknown as NodeBalancer;
const status = { phase: "refused", message, since: at, observedAt: at } as unknown as KubernetesStatus;
const exposure = { message, phase: "failed", observedGeneration: 1, updatedAt: at, deletedAt: null } as Exposure;
const balancer = { message, phase: "failed", observedAt: at } as LoadBalancer;
const condition = { type: "Carried", status: "false", reason: "NotCarried", message, changedAt: at } as const;

const transition = { from: "established", to: "idle", at, reason: message } as unknown as BgpTransition;
const balancers = ["web", "api"].map((name) => ({ loadBalancerId: name, name, problem: message }));
const metrics = { phase: "partial", message, observedAt: at, balancers } as unknown as CloudMetricsStatus;

it.each<[string, ReactElement]>([
  ["a backend", <BackendsTable key="1" backends={[backend]} observeIntervalMs={1_000} />],
  ["a replica on a node", <CarriedTable key="2" balancers={[carried]} />],
  ["the API of a cluster", <ApiState key="3" status={status} />],
  ["an exposure", <ExposureSentence key="4" exposure={exposure} />],
  ["a load balancer", <BalancerSentence key="5" balancer={balancer} />],
  ["a condition", <Conditions key="6" exposure={{ message: "Not serving.", conditions: [condition] }} />],
  ["a transition", <Transition key="7" of={transition} />],
  ["the metrics of a cloud", <ReadState key="8" status={metrics} />],
  ["a load balancer without metrics", <Troubled key="9" status={metrics} />],
])("shows only the start of a long message of %s, and the rest on request", (_, element) => {
  const html = renderToStaticMarkup(element);
  expect(html).toContain("x".repeat(300));
  expect(html).not.toContain("x".repeat(400));
  expect(html).toContain("Show all");
});
