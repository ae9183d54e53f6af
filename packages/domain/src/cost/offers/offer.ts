import type { Catalogue, Price } from "../prices/catalogue.ts";
import type { Provider } from "../prices/providers.ts";
import type { Charge } from "../traffic/charge.ts";
import { peakMbpsOf } from "../traffic/day.ts";
import { type Load, loadAt } from "../traffic/load.ts";
import type { TrafficProfile } from "../traffic/traffic-profile.ts";
import type { CapacityFigure } from "./capacity-figure.ts";
import type { Constraint } from "./constraint.ts";

/** Demand is a profile, how many balancers share it, and the most that all of them carry together. */
export type Demand = { profile: TrafficProfile; balancers: number; peak: Load };

export function demandOf(profile: TrafficProfile, averageMbps = profile.averageMbps): Demand {
  return {
    profile,
    balancers: profile.exposedAs === "per-replica" ? profile.replicas : 1,
    peak: loadAt(profile, peakMbpsOf(profile, averageMbps)),
  };
}

/** Limit is the most that one balancer carries of something, and where that is known from. */
export type Limit = Pick<CapacityFigure, "of" | "most" | "basis" | "source">;

/** Made is what an offer comes to for a demand. Limits are those of all balancers together. */
export type Made = {
  charges: Charge[];
  limits: Limit[];
  /** Sentences about how it was reckoned, or why it can't be trusted to carry this. */
  notes: string[];
};

/** Why an offer can't do what a constraint asks; what isn't named it can. */
export type Lacks = Partial<Record<Constraint, string>>;

/** Offer is something that a provider sells, and what it is paid by. */
export type Offer = {
  id: string;
  provider: Provider;
  product: string;
  layer: 4 | 7;
  protocols: readonly TrafficProfile["protocol"][];
  tls: readonly TrafficProfile["tls"][];
  lacks: Lacks;
  /** On how many ports one balancer listens at most. Where it isn't known, or more are given to who asks, there is none. */
  mostListeners?: number;
  /** Why it never stands in for a balancer, and is listed all the same. */
  otherwise?: string;
  /** One balancer has an address of its own for each replica, instead of one balancer for each. */
  addressesReplicas?: boolean;
  make: (demand: Demand, prices: Prices) => Made;
};

/** Prices are those of one provider in one region. What has none throws MissingPrice: it never becomes free. */
export class Prices {
  readonly provider: Provider;
  readonly region: string;
  private readonly catalogue: Catalogue;
  private readonly currency: string;
  private readonly known = new Map<string, Price | MissingPrice>();

  constructor(catalogue: Catalogue, provider: Provider, region: string, currency: string) {
    this.catalogue = catalogue;
    this.provider = provider;
    this.region = region;
    this.currency = currency;
  }

  get(sku: string): Price {
    const found = this.look(sku);
    if (found instanceof MissingPrice) throw found;
    return found;
  }

  find(sku: string): Price | null {
    const found = this.look(sku);
    return found instanceof MissingPrice ? null : found;
  }

  private look(sku: string): Price | MissingPrice {
    const before = this.known.get(sku);
    if (before) return before;
    const found =
      this.catalogue.find(this.provider, this.region, sku, this.currency) ??
      new MissingPrice(`There is no price of ${sku} in ${this.region}.`);
    this.known.set(sku, found);
    return found;
  }
}

export class MissingPrice extends Error {}
