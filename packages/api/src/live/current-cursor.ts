import { readFeed } from "@fairlead/services";
import type { ApiContext } from "../context.ts";
import { formatCursor } from "./cursor.ts";

/**
 * currentCursor returns the feed's current position. A page takes it before it reads anything: a stream that resumes
 * from there delivers every change that the page may have missed, so the page need not be read again.
 */
export async function currentCursor({ db, now }: Pick<ApiContext, "db" | "now">): Promise<string> {
  // No transaction has an id this high, so the read returns only the horizon.
  const { settledBefore } = await readFeed(db, { since: 2n ** 62n, limit: 1 });
  return formatCursor(settledBefore, now);
}
