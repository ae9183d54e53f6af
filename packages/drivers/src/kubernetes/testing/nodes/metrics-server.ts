import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PolicyRule } from "../control-plane.ts";
import { createAll } from "../create-all.ts";
import type { KubernetesObject } from "../kubernetes-api.ts";
import { freePorts } from "../ports.ts";
import { until } from "../until.ts";
import { controlPlaneAddress } from "./addresses.ts";
import type { Nodes } from "./nodes.ts";

const namespace = "kube-system";
const name = "metrics-server";
const servesWithinMs = 120_000;
const metrics = "/apis/metrics.k8s.io/v1beta1";

/** The shortest that it accepts: it reads all kubelets this often. */
const metricsEverySeconds = 10;

/** What its own manifest grants. */
const rules: PolicyRule[] = [
  { apiGroups: [""], resources: ["nodes/metrics"], verbs: ["get"] },
  { apiGroups: [""], resources: ["pods", "nodes"], verbs: ["get", "list", "watch"] },
];

/**
 * startMetricsServer adds the API metrics.k8s.io to a cluster. It runs outside the nodes, so that no failure of a node affects it,
 * and returns once it has figures of all nodes. Nodes share their machine's kernel, so all of them have the machine's
 * figures; those of pods are their own.
 */
export async function startMetricsServer(nodes: Nodes): Promise<void> {
  const { control } = nodes;
  const files = path.join(nodes.folder, name);
  mkdirSync(files);
  const [port = 0] = await freePorts(1);
  const account = await control.createServiceAccount(namespace, rules);
  const { port: apiPort } = new URL(control.url);
  const kubeconfig = path.join(files, "kubeconfig");
  writeFileSync(kubeconfig, control.kubeconfigFor(account, { url: `https://${controlPlaneAddress}:${apiPort}` }));
  await createAll(control.api, [...grants(account.name), ...aggregation(port)]);
  nodes.runAtSwitch(name, name, [
    ...["kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig"].map((each) => `--${each}=${kubeconfig}`),
    `--bind-address=${controlPlaneAddress}`,
    `--secure-port=${port}`,
    `--cert-dir=${files}`,
    // Kubelets of tests sign their own certificates.
    "--kubelet-insecure-tls",
    "--kubelet-preferred-address-types=InternalIP",
    "--kubelet-request-timeout=5s",
    `--metric-resolution=${metricsEverySeconds}s`,
  ]);
  nodes.leadBack(port);
  const seen = async () =>
    (await control.api.get<{ items: object[] }>(`${metrics}/nodes`)).items.length === nodes.names.length;
  await until(name, seen, servesWithinMs).catch((cause: unknown) => {
    throw new Error(`${name} has no figures of all nodes; its last log lines:\n${nodes.lastWords(name)}`, { cause });
  });
}

/** It asks the API server who its clients are, and what they may do. */
function grants(account: string): KubernetesObject[] {
  const subjects = [{ kind: "ServiceAccount", name: account, namespace }];
  const role = (kind: string, of: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name: of });
  const of = (kind: string, metadata: KubernetesObject["metadata"], roleRef: object) => ({
    ...{ apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata, roleRef, subjects },
  });
  const reader = role("Role", "extension-apiserver-authentication-reader");
  return [
    of("RoleBinding", { name: `${name}-auth-reader`, namespace }, reader),
    of("ClusterRoleBinding", { name: `${name}:system:auth-delegator` }, role("ClusterRole", "system:auth-delegator")),
  ];
}

/** The API server runs on the loopback of the test machine, which endpoints of Services can't have. A name can. */
function aggregation(port: number): KubernetesObject[] {
  const of = (apiVersion: string, kind: string, metadata: KubernetesObject["metadata"], spec: object) => ({
    ...{ apiVersion, kind, metadata, spec },
  });
  const server = { type: "ExternalName", externalName: "localhost", ports: [{ port }] };
  const api = {
    ...{ group: "metrics.k8s.io", version: "v1beta1", groupPriorityMinimum: 100, versionPriority: 100 },
    ...{ insecureSkipTLSVerify: true, service: { name, namespace, port } },
  };
  return [
    of("v1", "Service", { name, namespace }, server),
    of("apiregistration.k8s.io/v1", "APIService", { name: "v1beta1.metrics.k8s.io" }, api),
  ];
}
