import { DomainError, type ErrorCode } from "@fairlead/domain";
import { describeOutage } from "@fairlead/services";
import { presentedKey } from "./authenticate.ts";
import { authenticateKey } from "./authenticate-key.ts";
import { db } from "./db.ts";
import { metrics } from "./metrics.ts";

const noStore = { "cache-control": "no-store" };
const statuses: { [Code in ErrorCode]?: number } = { "rate-limited": 429, unavailable: 503 };

/**
 * answerMetrics serves the metrics of this process in Prometheus text format to holders of any API key. They have no
 * names, ids or secrets, but they show how busy an installation is, and cost a query.
 */
export async function answerMetrics(request: Request): Promise<Response> {
  const key = presentedKey(request.headers);
  if (!key) return refusal(401, "Send an API key: Authorization: Bearer fl_…");
  try {
    await authenticateKey(db(), key, request.headers, new Date());
  } catch (error) {
    const expected = error instanceof DomainError ? error : describeOutage(error);
    if (!expected) throw error;
    return refusal(statuses[expected.code] ?? 401, expected.message);
  }
  return new Response(await metrics().all.page(), {
    headers: { ...noStore, "content-type": "text/plain; version=0.0.4; charset=utf-8" },
  });
}

function refusal(status: number, message: string): Response {
  const headers = status === 401 ? { "www-authenticate": "Bearer" } : {};
  return new Response(`${message}\n`, {
    status,
    headers: { ...noStore, ...headers, "content-type": "text/plain; charset=utf-8" },
  });
}
