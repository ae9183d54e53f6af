import { setTimeout as sleep } from "node:timers/promises";
import type { MoveDetail } from "@fairlead/domain/move";
import { getMove } from "@fairlead/services";
import type { LabStage } from "./lab-stage.ts";

/** Applied is a step of a move, with the time for which its share was wanted. */
export type Applied = { share: number; from: Date; to: Date };

const everyMs = 100;

/** followMove waits for the end of a move. onStep is called after each step. */
export async function followMove(
  { now }: LabStage,
  id: string,
  withinMs: number,
  onStep: (share: number) => Promise<void> | void = () => undefined,
): Promise<{ move: MoveDetail; applied: Applied[] }> {
  const end = performance.now() + withinMs;
  let step = 0;
  for (;;) {
    const move = await getMove(now(), id);
    if (move.step > step) {
      step = move.step;
      await onStep(move.share);
    }
    if (move.endedAt) return { move, applied: appliedIn(move) };
    if (move.state === "paused") throw new Error(`the move is paused: ${move.reason}`);
    if (performance.now() > end)
      throw new Error(`the move is ${move.state} at ${move.share} % after ${withinMs / 1_000} s: ${move.reason}`);
    await sleep(everyMs);
  }
}

/** appliedIn reads the steps of a move from its history. */
function appliedIn({ history, steps }: MoveDetail): Applied[] {
  return steps.flatMap((share) => {
    const at = history.findIndex((each) => each.share === share);
    const [own, next] = [history[at], history[at + 1]];
    return own && next ? [{ share, from: own.at, to: next.at }] : [];
  });
}
