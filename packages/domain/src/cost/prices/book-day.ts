import { z } from "zod";

/** bookDay is a day of the calendar, as people and databases both write it. */
export const bookDay = z.iso.date("give a day such as 2026-01-31");
