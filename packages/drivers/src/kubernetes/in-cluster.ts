import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Reached } from "./api.ts";

/** InCluster is what Kubernetes tells a pod of its own apiserver. */
export type InCluster = { host: string; port: string; folder: string };

/** Where the kubelet puts it. */
export const inClusterFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** NotInCluster says that there is no cluster around us. */
export class NotInCluster extends Error {
  constructor() {
    super(
      "The controller doesn't run in a pod with a service account, so there is no cluster around it. Give a kubeconfig instead",
    );
    this.name = "NotInCluster";
  }
}

/** The kubelet renews a token long before it ends. */
const tokenReadEveryMs = 60_000;

/** reachInCluster reads what the kubelet gives every pod; the token again and again, because it is renewed. */
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
      const name = host.includes(":") ? `[${host}]` : host;
      return { server: `https://${name}:${port}`, authorization: `Bearer ${token.text}` };
    },
  };
}
