import { z } from "zod";

/** moment is a point in time that somebody asks about: any that a database and a calendar agree on. */
export const moment = z.coerce
  .date("expected a time such as 2026-01-31T12:00:00Z")
  .min(new Date("1970-01-01T00:00:00Z"), "not before 1970")
  .max(new Date("2200-01-01T00:00:00Z"), "not after 2199");
