import { z } from "zod";

/** bookDay is a calendar day in ISO 8601 format. */
export const bookDay = z.iso.date("enter a day such as 2026-01-31");
