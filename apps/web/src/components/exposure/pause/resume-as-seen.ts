import { explained, problemOf } from "../../../trpc/problem.ts";

type Seen = { id: string; name: string; generation?: number | undefined };

type Calls = {
  resume: (input: { id: string; expectedGeneration?: number | undefined }) => Promise<unknown>;
  get: (input: { id: string }) => Promise<{ generation: number }>;
};

/**
 * resumeAsSeen returns a function that resumes an exposure only if its spec is still the one that the user saw, because
 * resuming applies the newest. When it is called again after a conflict, it applies the spec that caused the conflict.
 */
export function resumeAsSeen({ resume, get }: Calls): (seen: Seen) => Promise<void> {
  const newer = new Map<string, number>();
  return async ({ id, name, generation }) => {
    const expectedGeneration = generation === undefined ? undefined : Math.max(generation, newer.get(id) ?? 0);
    try {
      await resume({ id, expectedGeneration });
    } catch (error) {
      if (problemOf(error).code !== "precondition-failed") throw error;
      newer.set(id, (await get({ id })).generation);
      throw explained(
        error,
        `${name} was edited meanwhile, so it was not resumed. Check its spec: if you resume it again, that is applied.`,
      );
    }
  };
}
