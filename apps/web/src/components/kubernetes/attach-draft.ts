import { type AttachKubernetes, longestKubeconfig } from "@fairlead/domain";

export const attachWays = ["kubeconfig", "in-cluster"] as const;
export type AttachWay = (typeof attachWays)[number];

/** What a person writes of how a cluster is reached. */
export type AttachDraft = {
  way: AttachWay;
  text: string;
  /** Empty for the one that the kubeconfig calls current. */
  context: string;
};

export const emptyAttach: AttachDraft = { way: "kubeconfig", text: "", context: "" };

/** attachWish is what is asked for. */
export function attachWish({ way, text, context }: AttachDraft): AttachKubernetes {
  if (way === "in-cluster") return { inCluster: true };
  return { kubeconfig: text, ...(context ? { context } : {}) };
}

/** Nothing is written yet: a cluster may be created like that, and attached later. */
export function isBlank({ way, text }: AttachDraft): boolean {
  return way === "kubeconfig" && text.trim() === "";
}

/** readKubeconfigFile takes a file that was chosen, or says why it can't be a kubeconfig. */
export async function readKubeconfigFile(
  file: Pick<File, "size" | "text">,
): Promise<{ text: string } | { problem: string }> {
  if (file.size > longestKubeconfig)
    return {
      problem: `The file has ${Math.round(file.size / 1_000)} kB; a kubeconfig may have ${longestKubeconfig / 1_000}.`,
    };
  const text = await file.text();
  if (text.trim() === "") return { problem: "The file is empty." };
  if (text.includes("\0") || text.includes("\ufffd"))
    return { problem: "The file holds no text. Choose a kubeconfig." };
  return { text };
}
