import { readFile } from "node:fs/promises";
import path from "node:path";
import { bracketed } from "@fairlead/domain/address";

/** Reached is where a request goes, and its credentials. */
export type Reached = { server: string; authorization: string | null };

/** InCluster is the apiserver address that Kubernetes gives a pod. */
export type InCluster = { host: string; port: string; folder: string };

/** Where the kubelet mounts the service account. */
export const inClusterFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** NotInCluster means that the controller doesn't run in a cluster. */
export class NotInCluster extends Error {
  constructor() {
    super(
      "The controller doesn't run in a pod with a service account, so it has no cluster of its own. Use a kubeconfig instead",
    );
    this.name = "NotInCluster";
  }
}

/** The kubelet renews a token long before it expires. */
const tokenReadEveryMs = 60_000;

/** reachInCluster reads the pod's CA and token; the token periodically, because it is renewed. */
export function reachInCluster(inCluster: InCluster | null): {
  certificateAuthority: () => Promise<string>;
  reach: () => Promise<Reached>;
} {
  let token = { text: "", readAt: Number.NEGATIVE_INFINITY };
  const within = () => {
    if (inCluster) return inCluster;
    throw new NotInCluster();
  };
  const read = async (name: string) => {
    const { folder } = within();
    return readFile(path.join(folder, name), "utf8").catch(() => {
      throw new NotInCluster();
    });
  };
  return {
    certificateAuthority: () => read("ca.crt"),
    async reach() {
      const { host, port } = within();
      const now = performance.now();
      if (now - token.readAt > tokenReadEveryMs) token = { text: (await read("token")).trim(), readAt: now };
      const name = bracketed(host);
      return { server: `https://${name}:${port}`, authorization: `Bearer ${token.text}` };
    },
  };
}
