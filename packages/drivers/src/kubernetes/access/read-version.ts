import type { KubernetesCalls } from "../api/calls.ts";
import { KubernetesRefused } from "./kubernetes-refused.ts";

/** Such as v1.36.3 or v1.30.2-eks-1234. */
const version = /^v\d[\w.+-]{0,60}$/;

/** readVersion returns an API's version. Any reachable API that accepts our credentials returns it. */
export async function readVersion(calls: Pick<KubernetesCalls, "readVersion">, signal: AbortSignal): Promise<string> {
  const gitVersion: unknown = (await calls.readVersion(signal))?.gitVersion;
  if (typeof gitVersion === "string" && version.test(gitVersion)) return gitVersion;
  throw new KubernetesRefused("The server is not a Kubernetes API: it has no version. Check the address and its path");
}
