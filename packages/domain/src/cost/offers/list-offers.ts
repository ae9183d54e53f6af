import { z } from "zod";
import type { Catalogue } from "../prices/catalogue.ts";
import { provider } from "../prices/price-point.ts";
import { tlsWays, trafficProtocols } from "../traffic/traffic-profile.ts";
import { constraint } from "./constraint.ts";
import { offersIn } from "./index.ts";

export const soldOffer = z
  .object({
    id: z.string(),
    provider,
    product: z.string(),
    layer: z.union([z.literal(4), z.literal(7)]),
    protocols: z.array(z.enum(trafficProtocols)),
    tls: z.array(z.enum(tlsWays)),
    lacks: z.partialRecord(constraint, z.string()).describe("The constraints that it doesn't meet, and why."),
    regions: z.array(z.string()).describe("Regions with prices."),
  })
  .meta({ id: "Offer" });
export type SoldOffer = z.infer<typeof soldOffer>;

/** listOffers lists the offers to compare, with their regions. */
export function listOffers(catalogue: Catalogue): SoldOffer[] {
  return offersIn(catalogue).map(({ id, provider, product, layer, protocols, tls, lacks }) => ({
    ...{ id, provider, product, layer, lacks },
    ...{ protocols: [...protocols], tls: [...tls], regions: [...catalogue.regionsOf(provider)] },
  }));
}
