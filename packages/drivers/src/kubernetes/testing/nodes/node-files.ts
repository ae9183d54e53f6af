import path from "node:path";
import type { Pem } from "../certificates.ts";
import { writeKubeconfig } from "../kubeconfig.ts";
import { allPods, nodeAddress, podNetwork } from "./addresses.ts";

export type NodeLayout = {
  number: number;
  name: string;
  /** The node's own folder. */
  folder: string;
  /** The folder of its programs. */
  bin: string;
  /** The parent of all its containers' cgroups. */
  cgroup: string;
  api: { url: string; ca: string };
  /** How often the kubelet updates Secrets in pods. */
  syncSeconds: number;
};

export type NodeUsers = { kubelet: Pem; proxy: Pem };

export const containerdSocket = "/run/containerd/containerd.sock";
export const pauseImage = "example.test/pause:1";

/** nodeFiles returns the files that a node's programs read, by their paths in its folder. */
export function nodeFiles(layout: NodeLayout, users: NodeUsers): Record<string, string> {
  const { url, ca } = layout.api;
  return {
    "containerd.toml": containerd(layout),
    "cni/10-pods.conflist": JSON.stringify(podNetworking(layout)),
    "kubelet.json": JSON.stringify(kubelet(layout)),
    "kubelet.kubeconfig": writeKubeconfig(url, ca, users.kubelet),
    "proxy.json": JSON.stringify(proxy(layout)),
    "proxy.kubeconfig": writeKubeconfig(url, ca, users.proxy),
    ...Object.fromEntries(Object.entries(fakeSysctls).map(([name, value]) => [fakeSysctl(name), `${value}\n`])),
  };
}

/** The kubelet would set these to other values, but they belong to the test machine. */
export const fakeSysctls: Record<string, number> = {
  "vm/overcommit_memory": 1,
  "kernel/panic": 10,
  "kernel/panic_on_oops": 1,
};

export function fakeSysctl(name: string): string {
  return path.join("sysctl", name.replace("/", "-"));
}

function containerd({ folder }: NodeLayout): string {
  // It may not lower its OOM score below that of this process.
  return `version = 3
root = "${folder}/containerd"
state = "/run/containerd/state"
[grpc]
address = "${containerdSocket}"
[ttrpc]
address = "${containerdSocket}.ttrpc"
[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "${pauseImage}"
[plugins."io.containerd.cri.v1.runtime"]
restrict_oom_score_adj = true
disable_apparmor = true
[plugins."io.containerd.cri.v1.runtime".containerd]
default_runtime_name = "runc"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
SystemdCgroup = false
[plugins."io.containerd.cri.v1.runtime".cni]
bin_dirs = ["/usr/lib/cni", "/opt/cni/bin"]
conf_dir = "${folder}/cni"
`;
}

function podNetworking({ number, folder }: NodeLayout): object {
  const bridge = {
    ...{ type: "bridge", bridge: "cni0", isGateway: true, ipMasq: false, hairpinMode: true },
    ipam: {
      type: "host-local",
      dataDir: path.join(folder, "ipam"),
      ranges: [[{ subnet: podNetwork(number) }]],
      routes: [{ dst: "0.0.0.0/0" }],
    },
  };
  return { cniVersion: "0.4.0", name: "pods", plugins: [bridge] };
}

function kubelet({ number, folder, cgroup, syncSeconds }: NodeLayout): object {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: nodeAddress(number),
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: "AlwaysAllow" },
    cgroupDriver: "cgroupfs",
    cgroupRoot: cgroup,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    containerRuntimeEndpoint: `unix://${containerdSocket}`,
    clusterDNS: ["10.96.0.10"],
    clusterDomain: "cluster.local",
    resolvConf: "",
    podLogsDir: path.join(folder, "pods"),
    // Disk and memory belong to the test machine, which may be nearly full.
    imageGCHighThresholdPercent: 100,
    evictionHard: { "memory.available": "50Mi" },
    nodeStatusUpdateFrequency: "4s",
    syncFrequency: `${syncSeconds}s`,
    maxPods: 200,
  };
}

function proxy({ number, name, folder }: NodeLayout): object {
  return {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    mode: "nftables",
    bindAddress: nodeAddress(number),
    healthzBindAddress: `${nodeAddress(number)}:10256`,
    metricsBindAddress: "127.0.0.1:10249",
    clientConnection: { kubeconfig: path.join(folder, "proxy.kubeconfig"), qps: 50, burst: 100 },
    clusterCIDR: allPods,
    detectLocalMode: "ClusterCIDR",
    hostnameOverride: name,
    // These belong to the test machine too.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
  };
}
