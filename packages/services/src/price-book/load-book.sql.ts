import type { Tx } from "@fairlead/db";
import type { NegotiatedPrice, OwnMachine, PriceBook, StoredRate } from "@fairlead/domain/cost";
import { mostEntries } from "./check-room.sql.ts";

/** loadBook reads the whole price book of an organisation, for verbs that have checked their own permission. */
export async function loadBook(tx: Tx, organizationId: string): Promise<PriceBook & { changes: BookChange[] }> {
  const [prices, machines, rates] = await Promise.all([
    tx.$queryRaw<NegotiatedPrice[]>`
      SELECT * FROM negotiated_price_view WHERE "organizationId" = ${organizationId} ORDER BY id LIMIT ${mostEntries}`,
    tx.$queryRaw<OwnMachine[]>`
      SELECT * FROM own_machine_view WHERE "organizationId" = ${organizationId} ORDER BY id LIMIT ${mostEntries}`,
    tx.$queryRaw<StoredRate[]>`
      SELECT * FROM currency_rate_view WHERE "organizationId" = ${organizationId} ORDER BY id LIMIT ${mostEntries}`,
  ]);
  const changes = [
    ...[...prices, ...machines].map(({ validFrom, updatedAt }) => ({ day: validFrom, updatedAt })),
    ...rates.map(({ asOf, updatedAt }) => ({ day: asOf, updatedAt })),
  ];
  return { prices, machines, rates: rates.map(({ from, to, rate, asOf }) => ({ from, to, rate, asOf })), changes };
}

/** BookChange is from when on an entry applies, and when it was written. */
export type BookChange = { day: string; updatedAt: Date };
