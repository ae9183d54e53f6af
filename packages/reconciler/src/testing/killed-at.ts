import { expect } from "vitest";
import type { Stage } from "./stage.ts";

const patienceMs = 90_000;

/** killedAt runs a controller that kills itself right after the step, and waits for its exit. */
export async function killedAt(stage: Stage, step: string, objectId: string): Promise<void> {
  const child = await stage.child({ leaseMs: 500, killAt: { step, objectId } });
  // A controller that never gets there is stopped, or it would claim the objects of the next test.
  const timer = setTimeout(() => void child.stop(), patienceMs);
  expect(await child.ended, child.logged()).toBe("SIGKILL");
  clearTimeout(timer);
}
