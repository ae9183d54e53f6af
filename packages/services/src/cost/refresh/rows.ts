import { viewSource } from "@fairlead/db";
import {
  type HeldPrice,
  type HeldState,
  type HeldTier,
  type HoldReason,
  type PricePoint,
  type PriceUnit,
  type Provider,
  priceRefresh,
} from "@fairlead/domain/cost";

export const refreshSource = viewSource("price_refresh_view", priceRefresh);

/** HeldRow is the database row of a held price. Its JSON was written by this code, from these types. */
export type HeldRow = {
  id: string;
  priceKey: string;
  provider: string;
  region: string;
  sku: string;
  unit: string;
  currency: string;
  asOf: string;
  source: string;
  before: unknown;
  after: unknown;
  reasons: unknown;
  state: string;
  decidedBy: string | null;
  decidedAt: Date | null;
};

export function toHeldPrice(row: HeldRow): HeldPrice {
  const before = pointsOf(row.before);
  return {
    id: row.id,
    provider: row.provider as Provider,
    region: row.region,
    sku: row.sku,
    unit: row.unit as PriceUnit,
    currency: row.currency,
    asOf: row.asOf,
    source: row.source,
    before: before.map(tierOf),
    beforeAsOf: before[0]?.asOf ?? null,
    after: pointsOf(row.after).map(tierOf),
    reasons: row.reasons as HoldReason[],
    state: row.state as HeldState,
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt,
  };
}

/** pointsOf reads the prices that a held row was written with. */
export function pointsOf(json: unknown): PricePoint[] {
  return json as PricePoint[];
}

function tierOf({ fromUnits, micros, per }: PricePoint): HeldTier {
  return { fromUnits, micros, per };
}
