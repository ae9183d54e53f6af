import type { Offer } from "../offer.ts";
import { selfHostedOffers } from "../self-hosted.ts";
import { awsOffers } from "./aws.ts";
import { azureOffers } from "./azure.ts";
import { digitaloceanOffers } from "./digitalocean.ts";
import { gcpOffers } from "./gcp.ts";
import { hetznerOffers } from "./hetzner.ts";
import { linodeOffers } from "./linode.ts";
import { oracleOffers } from "./oracle.ts";
import { otherOffers } from "./others.ts";
import { scalewayOffers } from "./scaleway.ts";

/** All that is compared. */
export const offers: readonly Offer[] = [
  ...awsOffers,
  ...gcpOffers,
  ...azureOffers,
  ...oracleOffers,
  ...digitaloceanOffers,
  ...hetznerOffers,
  ...linodeOffers,
  ...scalewayOffers,
  ...otherOffers,
  ...selfHostedOffers,
];
