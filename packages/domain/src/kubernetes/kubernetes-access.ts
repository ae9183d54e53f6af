import { z } from "zod";
import { idOf } from "../id.ts";
import { plainText } from "../plain-text.ts";
import { volatile } from "../volatile.ts";
import { kubernetesPhases, kubernetesUserTypes } from "./kubernetes-phases.ts";

/** Twice the size of a kubeconfig with a hundred clusters. */
export const longestKubeconfig = 400_000;
const longestSecret = 20_000;

const pem = (label: string) =>
  z
    .string()
    .max(longestSecret)
    .regex(new RegExp(`-----BEGIN ${label}-----`));
const hidden = z.string().min(1).max(longestSecret);

const auth = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("token"), token: hidden }),
  z.strictObject({
    type: z.literal("certificate"),
    certificate: pem("CERTIFICATE"),
    key: pem("(?:[A-Z0-9]+ )?PRIVATE KEY"),
  }),
  z.strictObject({ type: z.literal("password"), username: hidden, password: hidden }),
]);

/** Everything needed to access a Kubernetes API. It is encrypted as a whole; only its server and user type are ever shown. */
export const kubernetesAccess = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("kubeconfig"),
    server: z.url({ protocol: /^https$/ }).max(300),
    /** null for the certificate authorities that the controller's host trusts. */
    certificateAuthority: pem("CERTIFICATE").nullable(),
    /** The name expected in the server's certificate, if it isn't the host of its address. */
    tlsServerName: z.string().min(1).max(253).nullable(),
    auth,
  }),
  /** With the service account of the controller's own pod. */
  z.strictObject({ type: z.literal("in-cluster") }),
]);
export type KubernetesAccess = z.infer<typeof kubernetesAccess>;
export type KubeconfigAccess = Extract<KubernetesAccess, { type: "kubeconfig" }>;

const contextName = plainText(253).min(1);
const kubeconfig = z
  .string()
  .min(1, "paste a kubeconfig")
  .max(longestKubeconfig, `${longestKubeconfig / 1_000} kB at most: use a kubeconfig with one cluster`)
  .describe("The text of a kubeconfig, with certificates and keys inline. Write-only.");
const context = contextName.optional().describe("Default: the current context of the kubeconfig.");

/** Access to a cluster's API. Secrets are write-only. */
export const attachKubernetes = z
  .strictObject({
    kubeconfig: kubeconfig.optional(),
    context,
    inCluster: z
      .literal(true)
      .optional()
      .describe("Use the service account of the controller's own pod, instead of a kubeconfig."),
  })
  .superRefine(({ kubeconfig, context, inCluster }, ctx) => {
    const complain = (field: string, message: string) => ctx.addIssue({ code: "custom", path: [field], message });
    if (inCluster && kubeconfig !== undefined) complain("inCluster", "use either a kubeconfig or this, not both");
    else if (inCluster && context !== undefined)
      complain("context", "leave it out: contexts exist only in a kubeconfig");
    else if (!inCluster && kubeconfig === undefined) complain("kubeconfig", "enter a kubeconfig, or set inCluster");
  })
  .meta({ id: "AttachKubernetes" });
export type AttachKubernetes = z.infer<typeof attachKubernetes>;

export const kubernetesUserType = z.enum(kubernetesUserTypes).meta({ id: "KubernetesUserType" });
export type KubernetesUserType = z.infer<typeof kubernetesUserType>;

/** The part of a cluster's API access that any member may see. */
export const shownKubernetes = z
  .object({
    type: z.enum(["kubeconfig", "in-cluster"]),
    server: z.string().nullable().describe("The URL of the API; null for the controller's own cluster."),
    contextName: z.string().nullable(),
    userType: kubernetesUserType,
    certificateExpiresAt: z.date().nullable().describe("When the client certificate expires; null without one."),
  })
  .meta({ id: "ShownKubernetes" });
export type ShownKubernetes = z.infer<typeof shownKubernetes>;

/** How long before its client certificate expires a kubeconfig needs attention: a user has to replace it. */
export const kubeconfigNoticeDays = 14;

export const previewKubeconfig = z.strictObject({ kubeconfig, context }).meta({ id: "PreviewKubeconfig" });
export type PreviewKubeconfig = z.infer<typeof previewKubeconfig>;

export const kubeconfigPreview = z
  .object({
    contexts: z.array(z.string()),
    contextName: z.string().nullable().describe("The context that was read; null if none could be chosen."),
    server: z.string().nullable(),
    userType: kubernetesUserType.nullable(),
    certificateExpiresAt: z.date().nullable(),
    problems: z.array(z.string()).describe("Why it can't be used, and what to do."),
    permissions: z.array(z.object({ resource: z.string(), verbs: z.array(z.string()), why: z.string() })),
    manifest: z.string().describe("YAML for a service account of Fairlead with just these permissions."),
    commands: z.array(z.string()).describe("Commands that create a kubeconfig of that account, to be run in order."),
  })
  .meta({ id: "KubeconfigPreview" });
export type KubeconfigPreview = z.infer<typeof kubeconfigPreview>;

export const kubernetesPermissionSeen = z
  .object({
    verb: z.string(),
    resource: z.string().describe("With its group after a dot: endpointslices.discovery.k8s.io."),
    namespace: z.string().nullable().describe("null for all namespaces."),
    why: z.string(),
    required: z
      .boolean()
      .describe("Whether Fairlead can't expose anything without it. Without the others, some features are missing."),
    granted: z.boolean(),
  })
  .meta({ id: "KubernetesPermission" });
export type KubernetesPermissionSeen = z.infer<typeof kubernetesPermissionSeen>;

/** The result of the last check of a cluster's API. */
export const kubernetesStatus = z
  .object({
    clusterId: idOf("cluster"),
    phase: z.enum(kubernetesPhases),
    message: z.string().describe("What is wrong and what to do; empty if nothing is."),
    version: z.string().describe("The version of the API; empty until it is known."),
    permissions: z.array(kubernetesPermissionSeen),
    observedAt: volatile(z.date().nullable().describe("When it was last checked.")),
    since: z.date().nullable().describe("Since when it has been in this phase."),
  })
  .meta({ id: "KubernetesStatus" });
export type KubernetesStatus = z.infer<typeof kubernetesStatus>;
export type KubernetesPhase = KubernetesStatus["phase"];
