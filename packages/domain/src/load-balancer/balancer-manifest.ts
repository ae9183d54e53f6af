import { z } from "zod";
import { type EnrollmentToken, enrollmentToken } from "../cluster/enrollment-token.ts";
import { enginesWith } from "../exposure/engines.ts";
import { idOf } from "../id.ts";
import { plainText } from "../plain-text.ts";
import { podRights } from "./pod-rights.ts";

export const podNetworks = ["node", "pod"] as const;

/** How balancers run as pods of a Kubernetes cluster. */
export const createBalancerManifest = z.strictObject({
  id: idOf("cluster"),
  image: plainText(300)
    .regex(
      /^[a-z0-9]([a-z0-9._:/-]*[a-z0-9])?(:[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(@sha256:[0-9a-f]{64})?$/,
      "enter an image, such as registry.example.com/fairlead-agent:1.2.3",
    )
    .describe("An image built from deploy/agent.Dockerfile that your nodes can pull."),
  network: z
    .enum(podNetworks)
    .default("pod")
    .describe(
      "pod: the pod's own network, if routers reach pods on the same link. node: the node's network, which any router next to the nodes reaches.",
    ),
  rights: z
    .enum(podRights)
    .default("net-admin")
    .describe(
      `net-admin is enough for the engines ${enginesWith("net-admin").join(" and ")}; ebpf also lets ${enginesWith("ebpf").join(" and ")} run.`,
    ),
  interface: z
    .string()
    .regex(/^[\w.:@+-]{1,15}$/, "enter the name of an interface, such as eth0")
    .default("eth0")
    .describe("The interface on which packets of clients arrive."),
  nodeSelector: z
    .record(plainText(253).min(1), plainText(63))
    .refine((map) => Object.keys(map).length <= 32, "32 labels at most")
    .default({})
    .describe("Labels of the nodes that get a balancer. If empty: all nodes."),
  expiresInMinutes: z
    .int()
    .min(1)
    .max(366 * 24 * 60)
    .default(366 * 24 * 60)
    .describe("How long new nodes may enrol with it. Enrolled nodes stay."),
});
export type CreateBalancerManifest = z.infer<typeof createBalancerManifest>;

export const balancerManifest = z
  .object({
    token: enrollmentToken,
    manifest: z.string().describe("The manifest to apply. It contains the token, so keep it secret."),
  })
  .meta({ id: "BalancerManifest" });
export type BalancerManifest = { token: EnrollmentToken; manifest: string };

type Filling = Omit<CreateBalancerManifest, "id" | "expiresInMinutes"> & {
  controlPlane: string;
  token: string;
  drainSeconds: number;
};

const namespace = "fairlead";
const name = "fairlead-balancer";
/** The balancer's metrics port, next to its flow port: on the node's network the usual ports may be taken. */
const pagesPort = 7_445;
/** The time that an agent needs to shut down after a drain. */
const afterDrainSeconds = 15;

/** writeBalancerManifest runs a balancer on each node, with a speaker next to it that announces its addresses. */
export function writeBalancerManifest(filling: Filling): string {
  return `${[writeNamespace(), writeSecret(filling.token), writeDaemonSet(filling)].join("\n---\n")}\n`;
}

function writeNamespace(): string {
  return `# Fairlead's balancers as pods: one on each node, with a speaker that announces its addresses.
# The Secret lets nodes join: keep this file as secret as a password.
apiVersion: v1
kind: Namespace
metadata:
  name: ${namespace}
  labels:
    pod-security.kubernetes.io/enforce: privileged`;
}

function writeSecret(token: string): string {
  return `apiVersion: v1
kind: Secret
metadata:
  name: ${name}
  namespace: ${namespace}
type: Opaque
stringData:
  token: ${token}`;
}

function writeDaemonSet(filling: Filling): string {
  const { network, nodeSelector, rights, drainSeconds } = filling;
  const selected = Object.entries(nodeSelector).map(([key, value]) => `\n        ${quote(key)}: ${quote(value)}`);
  return `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  selector:
    matchLabels:
      app: ${name}
  # One node after the other, with time for routers to receive the routes of each.
  minReadySeconds: 10
  updateStrategy:
    rollingUpdate:
      maxUnavailable: 1
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      # The pods don't use the Kubernetes API: backends come from the control plane.
      automountServiceAccountToken: false
      hostNetwork: ${network === "node"}
      dnsPolicy: ${network === "node" ? "ClusterFirstWithHostNet" : "ClusterFirst"}
      terminationGracePeriodSeconds: ${drainSeconds + afterDrainSeconds}${selected.length > 0 ? `\n      nodeSelector:${selected.join("")}` : ""}
      tolerations:
        - operator: Exists
          effect: NoSchedule
      containers:
${writeContainer(filling, "balancer", [`--metrics-listen=127.0.0.1:${pagesPort}`])}
${writeContainer(filling, "speaker", [`--balancer=http://127.0.0.1:${pagesPort}`])}
      volumes:
        - name: token
          secret:
            secretName: ${name}
        # A pod that restarts on its node keeps its identity.
        - name: state
          hostPath:
            path: /var/lib/fairlead-balancer
            type: DirectoryOrCreate${
              rights === "ebpf"
                ? `
        # Programs pinned here keep carrying packets while the pod is replaced.
        - name: bpf
          hostPath:
            path: /sys/fs/bpf
            type: Directory`
                : ""
            }`;
}

/** The capabilities of each choice. Without one of them the agent reports what it lacks. */
const capabilities = {
  "net-admin": ["NET_ADMIN", "NET_RAW", "NET_BIND_SERVICE"],
  ebpf: ["NET_ADMIN", "NET_RAW", "NET_BIND_SERVICE", "BPF", "PERFMON", "SYS_ADMIN"],
} as const;

function writeContainer({ image, controlPlane, interface: where, rights }: Filling, role: string, more: string[]) {
  const flags = [
    `--control-plane=${controlPlane}`,
    "--token-file=/etc/fairlead/token",
    `--state=/var/lib/fairlead-agent/${role}`,
    "--node-name=$(NODE)",
    `--interface=${where}`,
    "--log=json",
    ...more,
  ];
  const isBpf = rights === "ebpf";
  return `        - name: ${role}
          image: ${quote(image)}
          args:
            - ${role}
${flags.map((flag) => `            - ${quote(flag)}`).join("\n")}
          env:
            - name: NODE
              valueFrom:
                fieldRef:
                  fieldPath: spec.nodeName
          securityContext:
            runAsUser: 0
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: ["ALL"]
              add: [${capabilities[rights].map(quote).join(", ")}]${
                isBpf
                  ? `
            # The default profile of most runtimes denies writes to /sys/fs/bpf.
            appArmorProfile:
              type: Unconfined`
                  : ""
              }
          resources:
            requests:
              cpu: 50m
              memory: ${isBpf && role === "balancer" ? "192Mi" : "64Mi"}
          volumeMounts:
            - name: token
              mountPath: /etc/fairlead
              readOnly: true
            - name: state
              mountPath: /var/lib/fairlead-agent${
                isBpf
                  ? `
            - name: bpf
              mountPath: /sys/fs/bpf`
                  : ""
              }`;
}

/** JSON strings are valid YAML. */
function quote(text: string): string {
  return JSON.stringify(text);
}
