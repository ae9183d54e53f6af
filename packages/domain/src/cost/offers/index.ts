import type { Catalogue } from "../prices/catalogue.ts";
import { awsOffers } from "./aws.ts";
import { azureOffers } from "./azure.ts";
import { digitaloceanOffers } from "./digitalocean.ts";
import { gcpOffers } from "./gcp.ts";
import { hetznerOffers } from "./hetzner.ts";
import { linodeOffers } from "./linode.ts";
import type { Offer } from "./offer.ts";
import { oracleOffers } from "./oracle.ts";
import { otherOffers } from "./others.ts";
import { scalewayOffers } from "./scaleway.ts";
import { ownOffersOn, rentedOffers, unownedOffers } from "./self-hosted.ts";

/** All offers of providers. */
export const listedOffers: readonly Offer[] = [
  ...awsOffers,
  ...gcpOffers,
  ...azureOffers,
  ...oracleOffers,
  ...digitaloceanOffers,
  ...hetznerOffers,
  ...linodeOffers,
  ...scalewayOffers,
  ...otherOffers,
  ...rentedOffers,
];

const defaultOffers = [...listedOffers, ...unownedOffers];

/** offersIn returns all offers to compare in a catalogue, including the organisation's own machines, if it has any. */
export function offersIn({ machines }: Catalogue): readonly Offer[] {
  return machines.length === 0 ? defaultOffers : [...listedOffers, ...ownOffersOn(machines)];
}
