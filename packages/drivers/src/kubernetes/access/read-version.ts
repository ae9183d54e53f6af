import type { KubernetesCalls } from "../api/calls.ts";
import { KubernetesRefused } from "./kubernetes-refused.ts";

/** Anything a version is written as: v1.36.3, v1.30.2-eks-1234. */
const version = /^v\d[\w.+-]{0,60}$/;

/** readVersion asks an API for its version: the least that one which is there, and trusts us, will answer. */
export async function readVersion(calls: Pick<KubernetesCalls, "readVersion">, signal: AbortSignal): Promise<string> {
  const gitVersion: unknown = (await calls.readVersion(signal))?.gitVersion;
  if (typeof gitVersion === "string" && version.test(gitVersion)) return gitVersion;
  throw new KubernetesRefused("The server is not a Kubernetes API: it has no version. Check the address and its path");
}
