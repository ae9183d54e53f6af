import { readFeed } from "@fairlead/services";
import type { ApiContext } from "../context.ts";
import { formatCursor } from "./cursor.ts";

/**
 * currentCursor is where the feed stands now. A page takes it before it reads anything: a stream that goes on from
 * there tells all that the page can't have seen, so the page need not be read again.
 */
export async function currentCursor({ db, now }: Pick<ApiContext, "db" | "now">): Promise<string> {
  // Nothing is ever in a transaction this late: the read tells the horizon alone.
  const { settledBefore } = await readFeed(db, { since: 2n ** 62n, limit: 1 });
  return formatCursor(settledBefore, now);
}
