import { z } from "zod";
import { idOf } from "../id.ts";
import { plainText } from "../plain-text.ts";
import { kubernetesPhases, kubernetesUserTypes } from "./kubernetes-phases.ts";

/** A kubeconfig of a hundred clusters has half of this. */
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

/** Everything that it takes to ask a Kubernetes API. It is sealed whole; only where it leads and as what is ever shown. */
export const kubernetesAccess = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("kubeconfig"),
    server: z.url({ protocol: /^https$/ }).max(300),
    /** null for the authorities that this machine trusts. */
    certificateAuthority: pem("CERTIFICATE").nullable(),
    /** What the server's certificate is to be made out to, where that isn't the host of its address. */
    tlsServerName: z.string().min(1).max(253).nullable(),
    auth,
  }),
  /** As the pod that the controller runs in. */
  z.strictObject({ type: z.literal("in-cluster") }),
]);
export type KubernetesAccess = z.infer<typeof kubernetesAccess>;
export type KubeconfigAccess = Extract<KubernetesAccess, { type: "kubeconfig" }>;

const contextName = plainText(253).min(1);
const kubeconfig = z
  .string()
  .min(1, "paste a kubeconfig")
  .max(longestKubeconfig, `${longestKubeconfig / 1_000} kB at most: take one of a single cluster`)
  .describe("The text of a kubeconfig, with what it needs inside it. It is never read back.");
const context = contextName.optional().describe("Absent: the one that the kubeconfig calls current.");

/** How a cluster's API is reached; what is secret of it is written, and never read. */
export const attachKubernetes = z
  .strictObject({
    kubeconfig: kubeconfig.optional(),
    context,
    inCluster: z.literal(true).optional().describe("As the pod that the controller runs in, instead of a kubeconfig."),
  })
  .superRefine(({ kubeconfig, context, inCluster }, ctx) => {
    const complain = (field: string, message: string) => ctx.addIssue({ code: "custom", path: [field], message });
    if (inCluster && kubeconfig !== undefined) complain("inCluster", "give either a kubeconfig or this, not both");
    else if (inCluster && context !== undefined) complain("context", "leave it out: only a kubeconfig has contexts");
    else if (!inCluster && kubeconfig === undefined)
      complain("kubeconfig", "give the text of a kubeconfig, or inCluster");
  })
  .meta({ id: "AttachKubernetes" });
export type AttachKubernetes = z.infer<typeof attachKubernetes>;

export const kubernetesUserType = z.enum(kubernetesUserTypes).meta({ id: "KubernetesUserType" });
export type KubernetesUserType = z.infer<typeof kubernetesUserType>;

/** What everybody may see of how a cluster is reached. */
export const shownKubernetes = z
  .object({
    type: z.enum(["kubeconfig", "in-cluster"]),
    server: z.string().nullable().describe("null for that of the pod which the controller runs in."),
    contextName: z.string().nullable(),
    userType: kubernetesUserType,
    certificateExpiresAt: z.date().nullable().describe("Of the certificate that it signs in with, if it does."),
  })
  .meta({ id: "ShownKubernetes" });
export type ShownKubernetes = z.infer<typeof shownKubernetes>;

export const previewKubeconfig = z.strictObject({ kubeconfig, context }).meta({ id: "PreviewKubeconfig" });
export type PreviewKubeconfig = z.infer<typeof previewKubeconfig>;

export const kubeconfigPreview = z
  .object({
    contexts: z.array(z.string()),
    contextName: z.string().nullable().describe("The one that was looked at; null where none could be picked."),
    server: z.string().nullable(),
    userType: kubernetesUserType.nullable(),
    certificateExpiresAt: z.date().nullable(),
    problems: z.array(z.string()).describe("Why it can't be used as it is, and what to do about that."),
    permissions: z.array(z.object({ resource: z.string(), verbs: z.array(z.string()), why: z.string() })),
    manifest: z.string().describe("YAML that grants just these to an account of Fairlead's own."),
    commands: z.array(z.string()).describe("What makes a kubeconfig of that account, to be run in turn."),
  })
  .meta({ id: "KubeconfigPreview" });
export type KubeconfigPreview = z.infer<typeof kubeconfigPreview>;

export const kubernetesPermissionSeen = z
  .object({
    verb: z.string(),
    resource: z.string().describe("With its group behind a dot: endpointslices.discovery.k8s.io."),
    namespace: z.string().nullable().describe("null for all."),
    why: z.string(),
    required: z.boolean().describe("Without it nothing is exposed; without the others, less."),
    granted: z.boolean(),
  })
  .meta({ id: "KubernetesPermission" });
export type KubernetesPermissionSeen = z.infer<typeof kubernetesPermissionSeen>;

/** How a cluster's API was found when it was last asked. */
export const kubernetesStatus = z
  .object({
    clusterId: idOf("cluster"),
    phase: z.enum(kubernetesPhases),
    message: z.string().describe("What is wrong and what to do; empty where nothing is."),
    version: z.string().describe("Of the API; empty until it said."),
    permissions: z.array(kubernetesPermissionSeen),
    observedAt: z.date().nullable().describe("When it was last asked."),
    since: z.date().nullable().describe("Since when it is in that phase."),
  })
  .meta({ id: "KubernetesStatus" });
export type KubernetesStatus = z.infer<typeof kubernetesStatus>;
export type KubernetesPhase = KubernetesStatus["phase"];
