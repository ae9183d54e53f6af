import { type CloudCredentials, cloudCredentials } from "@fairlead/domain/cloud";
import { openSecretBox } from "../secret/index.ts";

export type CredentialsBox = {
  seal: (credentials: CloudCredentials) => string;
  open: (sealed: string) => CloudCredentials;
};

/** cloudRouteBox seals and opens the credentials that a cluster's cloud is asked to bring addresses with. */
export function cloudRouteBox(secret: string): CredentialsBox {
  return boxFor(secret, "cloud-route");
}

/** cloudMetricsBox is for those that it is asked with what its load balancers measured. */
export function cloudMetricsBox(secret: string): CredentialsBox {
  return boxFor(secret, "cloud-metrics");
}

function boxFor(secret: string, purpose: string): CredentialsBox {
  const box = openSecretBox(secret, purpose);
  return {
    seal: (credentials) => box.seal(JSON.stringify(credentials)),
    open: (sealed) => cloudCredentials.parse(JSON.parse(box.open(sealed))),
  };
}
