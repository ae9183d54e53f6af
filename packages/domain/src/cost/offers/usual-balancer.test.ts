import { expect, it } from "vitest";
import { providerNames, providers } from "../prices/providers.ts";
import { listedOffers } from "./index.ts";

it.each(providerNames.filter((name) => providers[name].usualBalancer !== null))(
  "lists the balancer that %s creates for Services",
  (name) => {
    const offer = listedOffers.find(({ id }) => id === providers[name].usualBalancer);
    expect(offer?.provider).toBe(name);
  },
);
