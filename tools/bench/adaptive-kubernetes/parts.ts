import os from "node:os";
import path from "node:path";
import { controlPlaneAddress, type Nodes } from "@fairlead/drivers/kubernetes-testing";
import { serverPort } from "./plan.ts";

// The parts of the Go package adaptive, each in a pod: a server and clients on each node, and a neighbour on the first.

export const app = "bench-server";
const image = "example.test/fairlead-bench:1";
const cgroups = "/host/cgroup";

/** Requests of CPU time divide that of a node between pods that want more: the neighbour gets ¾, as in `adaptive`. */
const serverCpu = "100m";
const neighbourCpu = "300m";

type Part = {
  name: string;
  node: string;
  command: string;
  options: object;
  cpu: string;
  labels?: Record<string, string>;
  /** More of the container and of the pod. */
  container?: object;
  pod?: object;
};

/** createParts creates all parts. They connect to the conductor at a port of the control plane. */
export async function createParts(nodes: Nodes, program: string, port: number): Promise<void> {
  await nodes.addImage(image, {
    files: [{ from: program, to: "/fairlead-bench" }],
    entrypoint: ["/fairlead-bench"],
  });
  const parts = nodes.names.flatMap((node, at) => [serverOn(node, at), clientsOn(nodes, node, at)]);
  for (const part of [...parts, neighbourOn(nodes.names[0] ?? "")])
    await nodes.control.api.create("/api/v1/namespaces/default/pods", podOf(part, port));
}

/** A process with a CPU limit runs on one CPU: on two, each would keep a part of the limit for itself. */
const cpuOf = (at: number) => at % os.cpus().length;

function serverOn(node: string, at: number): Part {
  return {
    ...{ name: `server-${at}`, node, command: "adaptive-server", cpu: serverCpu, labels: { app } },
    options: { Node: at, At: ["0.0.0.0"], CPU: cpuOf(at) },
    // It has no readiness probe, which would take CPU time later.
    container: {
      startupProbe: { tcpSocket: { port: serverPort }, periodSeconds: 1, failureThreshold: 60 },
      securityContext: { capabilities: { add: ["NET_ADMIN"] } }, // for its large buffer of datagrams
    },
  };
}

function neighbourOn(node: string): Part {
  const options = { CPU: cpuOf(0) };
  return { name: "neighbour-0", node, command: "adaptive-neighbour", cpu: neighbourCpu, options };
}

/** Clients have the pod network of their node, but no part of its CPU time: otherwise a busy node would delay them. */
function clientsOn(nodes: Nodes, node: string, at: number): Part {
  const { outside } = nodes.cpuFolders(node);
  return {
    ...{ name: `clients-${at}`, node, command: "adaptive-clients", cpu: serverCpu },
    options: { Entry: at, Cgroups: outside.map((each) => path.join(cgroups, each)) },
    container: {
      securityContext: { privileged: true },
      volumeMounts: [{ name: "cgroups", mountPath: cgroups }],
    },
    pod: { volumes: [{ name: "cgroups", hostPath: { path: "/sys/fs/cgroup" } }] },
  };
}

function podOf(part: Part, port: number): object {
  const variables = {
    FAIRLEAD_BENCH_CONDUCTOR: `${controlPlaneAddress}:${port}`,
    FAIRLEAD_BENCH_PART: part.name,
  };
  const container = {
    ...{ name: "part", image, imagePullPolicy: "Never", args: [part.command, JSON.stringify(part.options)] },
    env: Object.entries(variables).map(([name, value]) => ({ name, value })),
    resources: { requests: { cpu: part.cpu } },
    ...part.container,
  };
  return {
    metadata: { name: part.name, labels: part.labels },
    spec: {
      ...{ nodeName: part.node, terminationGracePeriodSeconds: 1 },
      ...{ automountServiceAccountToken: false, enableServiceLinks: false, containers: [container] },
      ...part.pod,
    },
  };
}
