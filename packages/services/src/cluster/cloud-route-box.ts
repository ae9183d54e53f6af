import { type CloudCredentials, cloudCredentials } from "@fairlead/domain";
import { openSecretBox } from "../secret/index.ts";

export type CloudRouteBox = {
  seal: (credentials: CloudCredentials) => string;
  open: (sealed: string) => CloudCredentials;
};

/** cloudRouteBox seals and opens the credentials that a cluster's cloud is asked with. */
export function cloudRouteBox(secret: string): CloudRouteBox {
  const box = openSecretBox(secret, "cloud-route");
  return {
    seal: (credentials) => box.seal(JSON.stringify(credentials)),
    open: (sealed) => cloudCredentials.parse(JSON.parse(box.open(sealed))),
  };
}
