import { may } from "@fairlead/domain/access";
import type { Known } from "@fairlead/domain/choice";
import { billingOf, exchangeTo, hourOf, type PricesThen, planCost } from "@fairlead/domain/cost";
import { strategy } from "@fairlead/domain/exposure";
import type { ServiceContext } from "../context.ts";
import { keepCatalogue } from "../cost/keep-catalogue.ts";
import { bookOwner } from "../cost/open-context.ts";
import { dayOf } from "../cost/price-moment.ts";
import type { ClusterCandidate, OwnBalancer } from "./select-candidates.sql.ts";

type Price = { micros: number | null; reason: string };

/** The provider assigns a public address later. Whatever it is, it is billed. */
const assignedLater = "assigned-later";
/** As many as an exposure has by default. */
const replicas = 2;
const anyStrategy = strategy.parse({ type: "per-replica" });

/** Prices calculates hourly prices at one time. Clusters and balancers that are billed alike are calculated once. */
export class Prices {
  readonly #then: PricesThen;
  readonly #hour: number;
  readonly #source: string;
  readonly #known = new Map<string, Price>();

  constructor(then: PricesThen, now: Date, hasPriceBook: boolean) {
    this.#then = then;
    this.#hour = hourOf(now);
    this.#source = hasPriceBook ? "prices of your organisation" : "list prices";
  }

  /** ofCluster is the price of one load balancer in a cluster: on machines of ours if it has balancers, otherwise a bought one. */
  ofCluster({ name, region, runsAs, poolAddress }: ClusterCandidate, hasBalancers: boolean): Known<number> {
    const { micros, reason } = this.#price({
      replicaCount: hasBalancers ? replicas : 0,
      ...{
        name,
        kind: hasBalancers ? "fairlead" : "cloud",
        instance: null,
        address: hasBalancers ? poolAddress : assignedLater,
        exposureName: name,
      },
      ...{
        clusterName: name,
        clusterRegion: region,
        runsAs,
        labels: {},
        strategy: anyStrategy,
        ports: [{ protocol: "tcp" }],
      },
    });
    const what = hasBalancers ? `one load balancer on ${replicas} replicas` : "one load balancer of its provider";
    return micros === null
      ? { value: null, why: dotless(reason) }
      : { value: micros, source: this.#stated(what, reason), at: null };
  }

  /** ofBalancers is the price of all load balancers of an exposure. */
  ofBalancers(balancers: readonly OwnBalancer[]): Known<number> {
    if (balancers.length === 0) return { value: null, why: "It has no load balancers yet" };
    let [sum, why] = [0, ""];
    for (const each of balancers) {
      const { micros, reason } = this.#price(each);
      if (micros === null) return { value: null, why: dotless(reason) };
      sum += micros;
      why = reason;
    }
    const count = balancers.length;
    return {
      value: sum,
      source: this.#stated(`${count} load ${count === 1 ? "balancer" : "balancers"}`, why),
      at: null,
    };
  }

  #stated(what: string, reason: string): string {
    return reason ? dotless(reason) : `Price of ${what}, without traffic, by ${this.#source}`;
  }

  #price({ replicaCount: machineCount, ...facts }: OwnBalancer): Price {
    const { name: _, exposureName: __, instance: ___, labels: ____, ...paid } = facts;
    const key = JSON.stringify({ machineCount, paid });
    const known = this.#known.get(key);
    if (known) return known;
    const { hourlyMicros, reason } = planCost(
      billingOf(facts),
      { balancerCount: 1, machineCount, hour: this.#hour },
      this.#then,
    );
    const price = { micros: hourlyMicros, reason };
    this.#known.set(key, price);
    return price;
  }
}

/** openPrices reads the prices that the actor may see. */
export async function openPrices(ctx: ServiceContext, currency: string): Promise<Prices> {
  const organizationId = bookOwner({ caller: ctx });
  const { catalogue, rates } = await keepCatalogue(ctx, { organizationId });
  const then = { day: dayOf(ctx.now), catalogue, exchange: exchangeTo(currency, rates), currency };
  return new Prices(then, ctx.now, organizationId !== null && may(ctx.actor, "price-book:read"));
}

const dotless = (sentence: string) => sentence.replace(/\.$/, "");
