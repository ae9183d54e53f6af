import { setTimeout as wait } from "node:timers/promises";
import type { Db } from "@fairlead/db";
import { answerWithinMs, type RoutesAnswer } from "@fairlead/domain/routing";
import { readAnswers } from "./question.sql.ts";

const firstLookMs = 10;
const longestPauseMs = 120;

/**
 * awaitAnswers polls, at growing intervals, until all agents have answered or the time is over. A poll is one read by
 * primary key, so that no listening connection is needed. The questions are deleted afterwards.
 */
export async function awaitAnswers(db: Db, ids: readonly string[]): Promise<Map<string, RoutesAnswer>> {
  const until = performance.now() + answerWithinMs;
  let answers = new Map<string, RoutesAnswer>();
  try {
    for (let pause = firstLookMs; answers.size < ids.length; pause = Math.min(pause * 1.5, longestPauseMs)) {
      await wait(Math.min(pause, Math.max(0, until - performance.now())));
      answers = await readAnswers(db, ids);
      if (performance.now() >= until) break;
    }
    return answers;
  } finally {
    if (ids.length > 0) await db.agentQuestion.deleteMany({ where: { id: { in: [...ids] } } });
  }
}
