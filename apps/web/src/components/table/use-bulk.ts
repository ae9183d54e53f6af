"use client";
import { useState } from "react";
import { problemOf } from "@/trpc/problem.ts";
import { notify } from "../ui/layout/notices.tsx";
import type { BulkResult, BulkResults } from "./bulk-results.ts";
import { inTurn } from "./in-turn.ts";
import type { Picked } from "./use-selection.ts";

/** How many changes run at once. More would only queue in the database. */
const atOnce = 4;

/**
 * What to report: "Deleting 3 exposures." and "2 exposures could not be deleted". Without the latter, failures are left to
 * the caller, who shows the results.
 */
type Report = { done: (count: number) => string; failed?: (count: number) => string };

/**
 * useBulk changes the selected rows, a few at a time, and reports how many failed. It throws only if all do. results has
 * the last result of each row, by id.
 */
export function useBulk({ done, failed }: Report) {
  const [results, setResults] = useState<BulkResults>(new Map());
  const record = ({ id }: Picked, result: BulkResult) => setResults((before) => new Map(before).set(id, result));
  return {
    results,
    /** Returns how many failed. */
    async run(rows: readonly Picked[], work: (row: Picked) => Promise<unknown>): Promise<number> {
      const again = new Set(rows.map(({ id }) => id));
      setResults((before) => new Map([...before].filter(([id]) => !again.has(id))));
      const outcome = await inTurn(rows, atOnce, async (row) => {
        try {
          await work(row);
          record(row, { isDone: true });
        } catch (error) {
          record(row, { isDone: false, message: problemOf(error).message });
          throw error;
        }
      });
      const succeeded = rows.length - outcome.failed;
      if (succeeded === 0) throw outcome.firstError;
      notify(done(succeeded));
      if (outcome.failed > 0 && failed)
        notify(`${failed(outcome.failed)}: ${problemOf(outcome.firstError).message}`, "problem");
      return outcome.failed;
    },
  };
}
