import type { Tx } from "@fairlead/db";
import { type Billing, billingOf, type Hours, type MeteredHour, type MeteredWith } from "@fairlead/domain/cost";
import { countTogether } from "./count-together.sql.ts";
import { readHours } from "./read-hours.sql.ts";
import type { Subject } from "./subjects.sql.ts";

const mostSubjectsAtOnce = 500;
/** A month of 500 load balancers: longer times are read in smaller batches. */
const hoursAtOnce = mostSubjectsAtOnce * 31 * 24;

export type UsedBy = { subject: Subject; billing: Billing; used: MeteredHour[] } & Pick<MeteredWith, "togetherAt">;

/** readUsage reads balancer by balancer, in batches, so that a long time of very many needs little memory. */
export async function* readUsage(tx: Tx, subjects: readonly Subject[], hours: Hours): AsyncGenerator<UsedBy, void> {
  const billed = subjects.map((subject) => ({ subject, billing: billingOf(subject.facts) }));
  const togetherOf = await countTogether(tx, billed, hours);
  const atOnce = Math.max(1, Math.min(mostSubjectsAtOnce, Math.floor(hoursAtOnce / (hours.to - hours.from))));
  const readAt = (at: number) => {
    const some = billed.slice(at, at + atOnce);
    const read = readHours(
      tx,
      some.map(({ subject }) => subject.id),
      hours,
    );
    // If the consumer stops early, a failure is reported where the promise is awaited, or not at all.
    read.catch(() => {});
    return { some, read };
  };
  // The next batch is read while this one is calculated.
  for (let at = 0, next = readAt(0); at < billed.length; at += atOnce) {
    const { some, read } = next;
    const used = await read;
    if (at + atOnce < billed.length) next = readAt(at + atOnce);
    for (const { subject, billing } of some) {
      const togetherAt = togetherOf(subject);
      yield { subject, billing, used: used.get(subject.id) ?? [], ...(togetherAt ? { togetherAt } : {}) };
    }
  }
}
