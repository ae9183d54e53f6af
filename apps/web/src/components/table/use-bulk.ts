"use client";
import { useState } from "react";
import { problemOf } from "@/trpc/problem.ts";
import { notify } from "../ui/layout/notices.tsx";
import { inTurn } from "./in-turn.ts";
import type { Picked } from "./use-selection.ts";

/** How many changes run at once. More would only queue in the database. */
const atOnce = 4;

/** What to report: "Deleting 3 exposures." and "2 exposures could not be deleted". */
type Report = { done: (count: number) => string; failed: (count: number) => string };

/** useBulk changes the selected rows, a few at a time, and reports how many failed. It throws only if all do. */
export function useBulk({ done, failed }: Report) {
  const [finished, setFinished] = useState(0);
  return {
    finished,
    async run(rows: readonly Picked[], work: (row: Picked) => Promise<unknown>): Promise<void> {
      setFinished(0);
      const outcome = await inTurn(rows, atOnce, async (row) => {
        await work(row);
        setFinished((count) => count + 1);
      });
      const succeeded = rows.length - outcome.failed;
      if (succeeded === 0) throw outcome.firstError;
      notify(done(succeeded));
      if (outcome.failed > 0) notify(`${failed(outcome.failed)}: ${problemOf(outcome.firstError).message}`, "problem");
    },
  };
}
