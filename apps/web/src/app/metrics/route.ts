import { answerMetrics } from "@/server/answer-metrics.ts";

export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return answerMetrics(request);
}
