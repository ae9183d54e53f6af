import type { Catalogue, Price } from "../prices/catalogue.ts";
import type { Provider } from "../prices/providers.ts";
import type { Charge } from "../traffic/charge.ts";
import { peakMbpsOf } from "../traffic/day.ts";
import { type Load, loadAt } from "../traffic/load.ts";
import type { TrafficProfile } from "../traffic/traffic-profile.ts";
import type { CapacityFigure } from "./capacity-figure.ts";
import type { Constraint } from "./constraint.ts";

/** Demand is a profile, the number of balancers that share it, and their total peak. */
export type Demand = { profile: TrafficProfile; balancers: number; peak: Load };

export function demandOf(profile: TrafficProfile, averageMbps = profile.averageMbps): Demand {
  return {
    profile,
    balancers: profile.exposedAs === "per-replica" ? profile.replicas : 1,
    peak: loadAt(profile, peakMbpsOf(profile, averageMbps)),
  };
}

/** Limit is a capacity limit of one balancer, with its source. */
export type Limit = Pick<CapacityFigure, "of" | "limit" | "basis" | "source">;

/** Gap is a line of a bill without a known price. The sum of the other lines is then a minimum. */
export type Gap = { item: string; missing: MissingPrice };
export type Line = Charge | Gap;

/** pricedLines returns all lines, or throws the first missing price. */
export function pricedLines(lines: readonly Line[]): Charge[] {
  return lines.map((line) => {
    if ("missing" in line) throw line.missing;
    return line;
  });
}

/** Made is an offer for a certain demand. */
export type Made = {
  lines: Line[];
  limits: Limit[];
  /** Sentences about how it was calculated, or about doubts that it carries this. */
  notes: string[];
  /** Rules and quotas of its provider that the user has to meet. */
  conditions?: string[];
};

/** The constraints that an offer doesn't meet, and why. It meets all others. */
export type Lacks = Partial<Record<Constraint, string>>;

/** Offer is a product of a provider, with its billing. */
export type Offer = {
  id: string;
  provider: Provider;
  product: string;
  layer: 4 | 7;
  protocols: readonly TrafficProfile["protocol"][];
  tls: readonly TrafficProfile["tls"][];
  lacks: Lacks;
  /** Maximum number of ports of one balancer; absent if it is unknown or can be raised on request. */
  mostListeners?: number;
  /** Where its provider documents that it scales with traffic; absent if its size is fixed, or nothing was found. */
  elastic?: string;
  /** Whether it is Fairlead, which is never listed first among equals. */
  isOurs?: boolean;
  /** Why it can't replace a balancer, although it is listed. */
  otherwise?: string;
  /** Whether one balancer has an address for each replica, instead of one balancer for each. */
  addressesReplicas?: boolean;
  make: (demand: Demand, prices: Prices) => Made;
};

/** Prices are those of one provider in one region. A missing one throws MissingPrice: it must never count as free. */
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
