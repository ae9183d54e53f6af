import { type CloudCredentials, cloudCredentials } from "@fairlead/domain/cloud";
import { openSecretBox } from "../secret/index.ts";

export type CredentialsBox = {
  seal: (credentials: CloudCredentials) => string;
  open: (sealed: string) => CloudCredentials;
};

/** cloudRouteBox seals and opens the credentials for a cluster's cloud route. */
export function cloudRouteBox(secret: string): CredentialsBox {
  return boxFor(secret, "cloud-route");
}

/** cloudMetricsBox seals and opens the credentials for a cluster's cloud metrics. */
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
