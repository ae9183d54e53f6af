import type { Tx } from "@fairlead/db";
import type { RoutesQuestion } from "@fairlead/domain/routing";
import type { Question } from "../../routing-table/question.sql.ts";

/** loadQuestion returns a question that a client still waits for. */
export async function loadQuestion(tx: Tx, id: string, agentId: string): Promise<Question | null> {
  const row = await tx.agentQuestion.findFirst({ where: { id, agentId }, select: { request: true } });
  return row && { id, agentId, request: row.request as RoutesQuestion };
}
