export type Standing = "valid" | "later" | "replaced";

/**
 * standingsOf says of each entry whether it holds on a day: one of a later day does not yet, and of the same thing the
 * newest replaces those before it.
 */
export function standingsOf<Row extends { id: string }>(
  rows: readonly Row[],
  thingOf: (row: Row) => string,
  dayOf: (row: Row) => string,
  today: string,
): Map<string, Standing> {
  // Unknown on the server: rather nothing than a word that changes.
  if (today === "") return new Map();
  const newest = new Map<string, string>();
  for (const row of rows) {
    const day = dayOf(row);
    if (day <= today && day > (newest.get(thingOf(row)) ?? "")) newest.set(thingOf(row), day);
  }
  const standing = (row: Row): Standing =>
    dayOf(row) > today ? "later" : dayOf(row) === newest.get(thingOf(row)) ? "valid" : "replaced";
  return new Map(rows.map((row) => [row.id, standing(row)]));
}
