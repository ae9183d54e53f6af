import path from "node:path";

export type Ports = { etcd: number; peers: number; api: number; controllers: number; scheduler: number; kwok: number };

/** Layout has the ports and the folder of one control plane's programs. */
export type Layout = {
  folder: string;
  ports: Ports;
  isManaged: boolean;
  authorization: "RBAC" | "AlwaysAllow";
  families: "both" | "IPv4";
};

export type ProgramName = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kwok";

/** The user of the API server's own requests to API servers behind it. */
export const aggregator = "aggregator";

export function etcdUrl({ ports }: Layout): string {
  return `http://127.0.0.1:${ports.etcd}`;
}

/** argumentsOf returns the arguments of a program. Its files are in the folder, with the names used here. */
export function argumentsOf(name: ProgramName, layout: Layout): string[] {
  const { folder, ports } = layout;
  const file = (each: string) => path.join(folder, each);
  switch (name) {
    case "etcd": {
      const peers = `http://127.0.0.1:${ports.peers}`;
      return [
        `--data-dir=${file("etcd")}`,
        `--listen-client-urls=${etcdUrl(layout)}`,
        `--advertise-client-urls=${etcdUrl(layout)}`,
        `--listen-peer-urls=${peers}`,
        `--initial-advertise-peer-urls=${peers}`,
        `--initial-cluster=default=${peers}`,
        "--unsafe-no-fsync", // data survives a killed process, but not a crash of the machine
        "--log-level=warn",
      ];
    }
    case "kube-apiserver":
      return [
        `--etcd-servers=${etcdUrl(layout)}`,
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        `--secure-port=${ports.api}`,
        "--endpoint-reconciler-type=none", // endpoints must not have a loopback address
        `--tls-cert-file=${file("server.crt")}`,
        `--tls-private-key-file=${file("server.key")}`,
        `--client-ca-file=${file("ca.crt")}`,
        `--token-auth-file=${file("tokens.csv")}`,
        // API servers behind this one, such as metrics-server, trust the names of users only from this certificate.
        `--requestheader-client-ca-file=${file("aggregator-ca.crt")}`,
        `--requestheader-allowed-names=${aggregator}`,
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        `--proxy-client-cert-file=${file("aggregator.crt")}`,
        `--proxy-client-key-file=${file("aggregator.key")}`,
        "--service-account-issuer=https://kubernetes.default.svc",
        `--service-account-key-file=${file("tokens.pub")}`,
        `--service-account-signing-key-file=${file("tokens.key")}`,
        `--service-cluster-ip-range=10.96.0.0/16${layout.families === "both" ? ",fd00:10:96::/112" : ""}`,
        `--authorization-mode=${layout.authorization === "RBAC" ? "Node,RBAC" : layout.authorization}`,
        "--allow-privileged=true",
        // Without the controllers, namespaces have no ServiceAccounts, and pods would wait for one.
        ...(layout.isManaged ? [] : ["--disable-admission-plugins=ServiceAccount"]),
      ];
    case "kube-controller-manager":
      return [
        `--kubeconfig=${file("admin.kubeconfig")}`,
        "--bind-address=127.0.0.1",
        `--secure-port=${ports.controllers}`,
        `--service-account-private-key-file=${file("tokens.key")}`,
        `--root-ca-file=${file("ca.crt")}`,
        `--cluster-signing-cert-file=${file("ca.crt")}`,
        `--cluster-signing-key-file=${file("ca.key")}`,
        "--leader-elect=false",
        "--allocate-node-cidrs=true",
        "--cluster-cidr=10.244.0.0/14",
        "--node-cidr-mask-size=24",
        "--node-monitor-grace-period=20s",
        "--node-monitor-period=2s",
        "--concurrent-deployment-syncs=10",
        "--concurrent-replicaset-syncs=10",
        // Autoscaling as fast as metrics change, and from a pod's first figures on.
        "--horizontal-pod-autoscaler-sync-period=2s",
        "--horizontal-pod-autoscaler-cpu-initialization-period=1s",
        "--horizontal-pod-autoscaler-initial-readiness-delay=1s",
        "--kube-api-qps=500",
        "--kube-api-burst=1000",
      ];
    case "kube-scheduler":
      return [
        `--kubeconfig=${file("admin.kubeconfig")}`,
        "--bind-address=127.0.0.1",
        `--secure-port=${ports.scheduler}`,
        "--leader-elect=false",
        "--kube-api-qps=500",
        "--kube-api-burst=1000",
      ];
    case "kwok":
      return [
        `--kubeconfig=${file("admin.kubeconfig")}`,
        `--config=${path.join(import.meta.dirname, "kwok-stages.yaml")}`,
        "--manage-all-nodes=false",
        "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake",
        "--node-lease-duration-seconds=40",
        `--server-address=127.0.0.1:${ports.kwok}`,
        "--cidr=10.244.0.0/14",
      ];
    default:
      return name satisfies never;
  }
}
