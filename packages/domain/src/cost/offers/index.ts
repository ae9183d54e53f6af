import type { Catalogue } from "../prices/catalogue.ts";
import type { Provider } from "../prices/providers.ts";
import { awsOffers } from "./aws.ts";
import { azureOffers } from "./azure.ts";
import { digitaloceanOffers } from "./digitalocean.ts";
import { gcpOffers } from "./gcp.ts";
import { hetznerOffers } from "./hetzner.ts";
import { linodeOffers } from "./linode.ts";
import type { Offer } from "./offer.ts";
import { oracleOffers } from "./oracle.ts";
import { alibaba, bunny, ovh } from "./others.ts";
import { scalewayOffers } from "./scaleway.ts";
import { ownOffersOn, rentedOffers, unownedOffers } from "./self-hosted.ts";

/** The offers that each provider operates itself. A provider without an entry is a type error. */
const operatedOffers: Record<Exclude<Provider, "own">, readonly Offer[]> = {
  aws: awsOffers,
  gcp: gcpOffers,
  azure: azureOffers,
  oracle: oracleOffers,
  digitalocean: digitaloceanOffers,
  hetzner: hetznerOffers,
  linode: linodeOffers,
  scaleway: scalewayOffers,
  alibaba: [alibaba],
  bunny: [bunny],
  ovh: [ovh],
};

/** All offers of providers. */
export const listedOffers: readonly Offer[] = [...Object.values(operatedOffers).flat(), ...rentedOffers];

const defaultOffers = [...listedOffers, ...unownedOffers];

/** offersIn returns all offers to compare in a catalogue, including the organisation's own machines, if it has any. */
export function offersIn({ machines }: Catalogue): readonly Offer[] {
  return machines.length === 0 ? defaultOffers : [...listedOffers, ...ownOffersOn(machines)];
}
