import { openSecretBox, type SecretBox } from "../secret/index.ts";

/** routingBox seals and opens the password that BGP peers of a cluster share. */
export function routingBox(secret: string): SecretBox {
  return openSecretBox(secret, "cluster-routing");
}
