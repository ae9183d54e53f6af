import { type KubernetesAccess, kubernetesAccess } from "@fairlead/domain/kubernetes";
import { openSecretBox } from "../secret/index.ts";

export type KubernetesBox = {
  seal: (access: KubernetesAccess) => string;
  open: (sealed: string) => KubernetesAccess;
};

/** kubernetesBox seals and opens the access to a cluster's API. */
export function kubernetesBox(secret: string): KubernetesBox {
  const box = openSecretBox(secret, "kubernetes-access");
  return {
    seal: (access) => box.seal(JSON.stringify(access)),
    open: (sealed) => kubernetesAccess.parse(JSON.parse(box.open(sealed))),
  };
}
