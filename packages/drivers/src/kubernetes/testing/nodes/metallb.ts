import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { until } from "../until.ts";
import { balancerAddresses, controlPlaneAddress } from "./addresses.ts";
import type { Nodes } from "./nodes.ts";

const namespace = "metallb-system";
const labels = { app: "metallb", component: "speaker" };
const image = "example.test/metallb-speaker:1";
const readyWithinMs = 60_000;

/** What it looks at. Which fields these have is MetalLB's to know, so that the API takes any. */
const kinds = {
  AddressPool: "v1beta1",
  BFDProfile: "v1beta1",
  BGPAdvertisement: "v1beta1",
  BGPPeer: "v1beta2",
  Community: "v1beta1",
  IPAddressPool: "v1beta1",
  L2Advertisement: "v1beta1",
};

/**
 * startMetallb makes MetalLB the Service controller of a cluster: Services of the type LoadBalancer get addresses at the
 * switch that nodes and client are at, and one of the nodes answers for each by ARP. Before 0.13.7 it doesn't see the
 * EndpointSlices of a Kubernetes as new as ours.
 */
export async function startMetallb(nodes: Nodes): Promise<void> {
  const { api } = nodes.control;
  const kubeconfig = path.join(nodes.folder, "metallb.kubeconfig");
  const { port } = new URL(nodes.control.url);
  const admin = { token: nodes.control.access.adminToken };
  writeFileSync(kubeconfig, nodes.control.kubeconfigFor(admin, { url: `https://${controlPlaneAddress}:${port}` }));
  await nodes.addImage(image, {
    files: [{ from: path.join(nodes.bin, "metallb-speaker"), to: "/speaker" }],
    entrypoint: ["/speaker"],
  });
  await api.create("/api/v1/namespaces", { metadata: { name: namespace } });
  await Promise.all(Object.entries(kinds).map(([kind, version]) => define(nodes, kind, version)));
  const own = (version: string, plural: string) => `/apis/metallb.io/${version}/namespaces/${namespace}/${plural}`;
  await until("what MetalLB is set by", () => api.get(own("v1beta1", "ipaddresspools")), readyWithinMs);
  const { first, last } = balancerAddresses;
  await api.create(own("v1beta1", "ipaddresspools"), {
    ...{ apiVersion: "metallb.io/v1beta1", kind: "IPAddressPool", metadata: { name: "pool" } },
    spec: { addresses: [`${first}-${last}`] },
  });
  await api.create(own("v1beta1", "l2advertisements"), {
    ...{ apiVersion: "metallb.io/v1beta1", kind: "L2Advertisement", metadata: { name: "all" } },
  });
  nodes.runAtSwitch("metallb-controller", "metallb-controller", [
    ...["-kubeconfig", kubeconfig, "-namespace", namespace],
    ...["-webhook-mode", "disabled", "-disable-cert-rotation"],
  ]);
  const speakers = `/apis/apps/v1/namespaces/${namespace}/daemonsets`;
  await api.create(speakers, speaker(kubeconfig));
  type Status = { status: { numberReady: number } };
  const areReady = async () => (await api.get<Status>(`${speakers}/speaker`)).status.numberReady === nodes.names.length;
  await until("MetalLB's speakers", areReady, readyWithinMs);
}

async function define({ control }: Nodes, kind: string, version: string): Promise<void> {
  const singular = kind.toLowerCase();
  const plural = singular === "community" ? "communities" : `${singular}s`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await control.api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: `${plural}.metallb.io` },
    spec: {
      group: "metallb.io",
      names: { kind, singular, plural, listKind: `${kind}List` },
      scope: "Namespaced",
      versions: [{ name: version, served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
}

/** A speaker knows the others as pods of a DaemonSet, and announces nothing by itself alone. */
function speaker(kubeconfig: string): object {
  const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  return {
    metadata: { name: "speaker" },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 1,
          containers: [
            {
              ...{ name: "speaker", image, imagePullPolicy: "Never" },
              args: ["-kubeconfig", kubeconfig, "-namespace", namespace],
              env: [
                field("METALLB_NODE_NAME", "spec.nodeName"),
                field("METALLB_HOST", "status.hostIP"),
                field("METALLB_ML_BIND_ADDR", "status.podIP"),
                {
                  name: "METALLB_ML_LABELS",
                  value: Object.entries(labels)
                    .map((each) => each.join("="))
                    .join(","),
                },
                { name: "METALLB_ML_SECRET_KEY", value: randomBytes(16).toString("hex") },
              ],
              securityContext: { capabilities: { add: ["NET_RAW"], drop: ["ALL"] }, allowPrivilegeEscalation: false },
              volumeMounts: [{ name: "kubeconfig", mountPath: kubeconfig, readOnly: true }],
            },
          ],
          volumes: [{ name: "kubeconfig", hostPath: { path: kubeconfig, type: "File" } }],
        },
      },
    },
  };
}
