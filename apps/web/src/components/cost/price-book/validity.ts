export type Validity = "valid" | "later" | "replaced";

/**
 * validityOf determines which entries are valid on a day. An entry with a later date is not valid yet, and the newest
 * entry for an item replaces the earlier ones.
 */
export function validityOf<Row extends { id: string }>(
  rows: readonly Row[],
  thingOf: (row: Row) => string,
  dayOf: (row: Row) => string,
  today: string,
): Map<string, Validity> {
  // Unknown on the server: empty, so that the text doesn't change on hydration.
  if (today === "") return new Map();
  const newest = new Map<string, string>();
  for (const row of rows) {
    const day = dayOf(row);
    if (day <= today && day > (newest.get(thingOf(row)) ?? "")) newest.set(thingOf(row), day);
  }
  const validity = (row: Row): Validity =>
    dayOf(row) > today ? "later" : dayOf(row) === newest.get(thingOf(row)) ? "valid" : "replaced";
  return new Map(rows.map((row) => [row.id, validity(row)]));
}
