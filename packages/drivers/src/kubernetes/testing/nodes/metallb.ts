import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { until } from "../until.ts";
import { balancerAddresses, controlPlaneAddress } from "./addresses.ts";
import type { Nodes } from "./nodes.ts";

const namespace = "metallb-system";
const labels = { app: "metallb", component: "speaker" };
const image = "example.test/metallb-speaker:1";
const controllerPod = "controller";
const readyWithinMs = 60_000;

/**
 * The kinds that MetalLB reads and writes, with the versions that it requests; the last one is stored. MetalLB validates
 * their fields itself, so the API accepts any.
 */
const kinds: Record<string, string[]> = {
  BFDProfile: ["v1beta1"],
  BGPAdvertisement: ["v1beta1"],
  BGPPeer: ["v1beta1", "v1beta2"],
  Community: ["v1beta1"],
  ConfigurationState: ["v1beta1"],
  IPAddressPool: ["v1beta1"],
  L2Advertisement: ["v1beta1"],
  ServiceBGPStatus: ["v1beta1"],
  ServiceL2Status: ["v1beta1"],
};
const plurals: Record<string, string> = {
  Community: "communities",
  ServiceBGPStatus: "servicebgpstatuses",
  ServiceL2Status: "servicel2statuses",
};

/**
 * startMetallb installs MetalLB as the cluster's load balancer controller: Services of the type LoadBalancer get
 * addresses on the link that nodes and client share, and one of the nodes answers ARP requests for each address.
 */
export async function startMetallb(nodes: Nodes): Promise<void> {
  const { api } = nodes.control;
  const files = path.join(nodes.folder, "metallb");
  const kubeconfig = path.join(files, "kubeconfig");
  const { port } = new URL(nodes.control.url);
  const admin = { token: nodes.control.access.adminToken };
  mkdirSync(files);
  writeFileSync(kubeconfig, nodes.control.kubeconfigFor(admin, { url: `https://${controlPlaneAddress}:${port}` }));
  // The speakers read their shared secret from a file of this name.
  writeFileSync(path.join(files, "secretkey"), randomBytes(16).toString("hex"));
  await nodes.addImage(image, {
    files: [{ from: path.join(nodes.bin, "metallb-speaker"), to: "/speaker" }],
    entrypoint: ["/speaker"],
  });
  await api.create("/api/v1/namespaces", { metadata: { name: namespace } });
  await Promise.all(Object.entries(kinds).map(([kind, versions]) => define(nodes, kind, versions)));
  const own = (version: string, plural: string) => `/apis/metallb.io/${version}/namespaces/${namespace}/${plural}`;
  await Promise.all(
    Object.entries(kinds).flatMap(([kind, versions]) =>
      versions.map((version) =>
        until(`${kind} in the API`, () => api.get(own(version, pluralOf(kind))), readyWithinMs),
      ),
    ),
  );
  const { first, last } = balancerAddresses;
  await api.create(own("v1beta1", "ipaddresspools"), {
    ...{ apiVersion: "metallb.io/v1beta1", kind: "IPAddressPool", metadata: { name: "pool" } },
    spec: { addresses: [`${first}-${last}`] },
  });
  await api.create(own("v1beta1", "l2advertisements"), {
    ...{ apiVersion: "metallb.io/v1beta1", kind: "L2Advertisement", metadata: { name: "all" } },
  });
  await api.create(`/api/v1/namespaces/${namespace}/pods`, ownerOfState());
  nodes.runAtSwitch("metallb-controller", "metallb-controller", [
    ...["-kubeconfig", kubeconfig, "-namespace", namespace, "-pod-name", controllerPod],
    ...["-webhook-mode", "disabled", "-disable-cert-rotation", "-port", "0"],
  ]);
  const speakers = `/apis/apps/v1/namespaces/${namespace}/daemonsets`;
  await api.create(speakers, speaker(files, kubeconfig));
  type Status = { status: { numberReady: number } };
  const areReady = async () => (await api.get<Status>(`${speakers}/speaker`)).status.numberReady === nodes.names.length;
  await until("MetalLB's speakers", areReady, readyWithinMs);
}

/**
 * The controller runs outside the nodes, so that no node failure affects it. It requires its own pod
 * as the owner of the state that it reports: this one, which is never scheduled.
 */
function ownerOfState(): object {
  return {
    metadata: { name: controllerPod },
    spec: {
      schedulerName: "none",
      automountServiceAccountToken: false,
      containers: [{ name: "controller", image, imagePullPolicy: "Never" }],
    },
  };
}

function pluralOf(kind: string): string {
  return plurals[kind] ?? `${kind.toLowerCase()}s`;
}

async function define({ control }: Nodes, kind: string, versions: readonly string[]): Promise<void> {
  const singular = kind.toLowerCase();
  const plural = pluralOf(kind);
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await control.api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: `${plural}.metallb.io` },
    spec: {
      group: "metallb.io",
      names: { kind, singular, plural, listKind: `${kind}List` },
      scope: "Namespaced",
      versions: versions.map((name) => ({
        ...{ name, served: true, storage: name === versions.at(-1) },
        ...{ schema, subresources: { status: {} } },
      })),
    },
  });
}

/** Speakers find each other as pods of a DaemonSet. One alone announces nothing. */
function speaker(files: string, kubeconfig: string): object {
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
              args: ["-kubeconfig", kubeconfig, "-namespace", namespace, "-port", "0"],
              env: [
                field("METALLB_NODE_NAME", "spec.nodeName"),
                field("METALLB_POD_NAME", "metadata.name"),
                field("METALLB_ML_BIND_ADDR", "status.podIP"),
                {
                  name: "METALLB_ML_LABELS",
                  value: Object.entries(labels)
                    .map((each) => each.join("="))
                    .join(","),
                },
                { name: "METALLB_ML_SECRET_KEY_PATH", value: files },
              ],
              securityContext: { capabilities: { add: ["NET_RAW"], drop: ["ALL"] }, allowPrivilegeEscalation: false },
              volumeMounts: [{ name: "files", mountPath: files, readOnly: true }],
            },
          ],
          volumes: [{ name: "files", hostPath: { path: files, type: "Directory" } }],
        },
      },
    },
  };
}
