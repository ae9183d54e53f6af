import { z } from "zod";

const expected = "enter a time such as 2026-01-31T12:00:00Z";

/**
 * moment is a point in time in input: a Date, or RFC 3339 text as in JSON, within the range that the database stores.
 * Other input that Date would parse ("0", 5, true) is more likely a mistake.
 */
export const moment = z
  .union([z.date(expected), z.iso.datetime({ offset: true, error: expected })], expected)
  .transform((given) => new Date(given))
  .pipe(
    z
      .date()
      .min(new Date("1970-01-01T00:00:00Z"), "not before 1970")
      .max(new Date("2200-01-01T00:00:00Z"), "not after 2199"),
  );
