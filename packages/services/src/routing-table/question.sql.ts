import type { Db } from "@fairlead/db";
import type { RoutesAnswer, RoutesQuestion } from "@fairlead/domain/routing";

/** Carries "AGENT QUESTION", the ids of both, to the gateway that has the agent's stream. */
export const questionChannel = "fairlead_question";

// The most open questions of one agent: it answers one after the other.
const mostAtOnce = 8;
const staleMs = 10_000;

export type Question = { id: string; agentId: string; request: RoutesQuestion };

/** putQuestions stores questions and notifies the gateways; it returns the ids of those within the limit. */
export async function putQuestions(db: Db, questions: readonly Question[], now: Date): Promise<Set<string>> {
  const rows = questions.map(({ id, agentId, request }) => ({ id, agentId, request }));
  const put = await db.$queryRaw<{ id: string }[]>`
    WITH put AS (
      INSERT INTO agent_question (id, agent_id, request, requested_at)
      SELECT q.id, q."agentId", q.request, ${now} FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS q(id text, "agentId" text, request jsonb)
      WHERE (
        SELECT count(*) FROM agent_question o
        WHERE o.agent_id = q."agentId" AND o.answer IS NULL AND o.requested_at > ${new Date(now.getTime() - staleMs)}
      ) < ${mostAtOnce}
      RETURNING id, agent_id
    )
    SELECT id, pg_notify(${questionChannel}, agent_id || ' ' || id)::text FROM put`;
  return new Set(put.map(({ id }) => id));
}

/** readAnswers returns the answers that have arrived. */
export async function readAnswers(db: Db, ids: readonly string[]): Promise<Map<string, RoutesAnswer>> {
  const rows = await db.$queryRaw<{ id: string; answer: RoutesAnswer }[]>`
    SELECT id, answer FROM agent_question WHERE id = ANY(${[...ids]}::text[]) AND answer IS NOT NULL`;
  return new Map(rows.map(({ id, answer }) => [id, answer]));
}

/**
 * recordAnswer stores an agent's answer to a question of its own; to any other, and to one that no client waits for any
 * more, it is dropped.
 */
export async function recordAnswer(db: Db, agentId: string, questionId: string, answer: RoutesAnswer): Promise<void> {
  await db.$executeRaw`
    UPDATE agent_question SET answer = ${JSON.stringify(answer)}::jsonb
    WHERE id = ${questionId} AND agent_id = ${agentId} AND answer IS NULL`;
}

/** sweepQuestions deletes what was left by processes that ended while they waited. */
export function sweepQuestions(db: Db, before: Date): Promise<number> {
  return db.$executeRaw`DELETE FROM agent_question WHERE requested_at < ${before}`;
}
