import { type AttachKubernetes, longestKubeconfig } from "@fairlead/domain/kubernetes";

export const attachWays = ["kubeconfig", "in-cluster"] as const;
export type AttachWay = (typeof attachWays)[number];

/** The fields of the form that attaches a cluster. */
export type AttachDraft = {
  way: AttachWay;
  text: string;
  /** Empty for the current context of the kubeconfig. */
  context: string;
};

export const emptyAttach: AttachDraft = { way: "kubeconfig", text: "", context: "" };

/** attachSpec returns the spec of the fields. */
export function attachSpec({ way, text, context }: AttachDraft): AttachKubernetes {
  if (way === "in-cluster") return { inCluster: true };
  return { kubeconfig: text, ...(context ? { context } : {}) };
}

/** Whether the form is still empty: a cluster may be created without it and attached later. */
export function isBlank({ way, text }: AttachDraft): boolean {
  return way === "kubeconfig" && text.trim() === "";
}

/** readKubeconfigFile reads the selected file, or returns why it can't be a kubeconfig. */
export async function readKubeconfigFile(
  file: Pick<File, "size" | "text">,
): Promise<{ text: string } | { problem: string }> {
  if (file.size > longestKubeconfig)
    return {
      problem: `The file has ${Math.round(file.size / 1_000)} kB. The maximum for a kubeconfig is ${longestKubeconfig / 1_000} kB.`,
    };
  const text = await file.text();
  if (text.trim() === "") return { problem: "The file is empty." };
  if (text.includes("\0") || text.includes("\ufffd")) return { problem: "The file is not text. Choose a kubeconfig." };
  return { text };
}
