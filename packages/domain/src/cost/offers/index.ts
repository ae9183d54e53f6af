import type { Offer } from "../offer.ts";
import { selfHostedOffers } from "../self-hosted.ts";
import { awsOffers } from "./aws.ts";

/** All that is compared. */
export const offers: readonly Offer[] = [...awsOffers, ...selfHostedOffers];
