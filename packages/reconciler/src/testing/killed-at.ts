import { expect } from "vitest";
import type { Stage } from "./stage.ts";

/** killedAt runs a controller that dies right after the step, and waits for its death. */
export async function killedAt(stage: Stage, step: string, objectId: string): Promise<void> {
  const child = await stage.child({ leaseMs: 500, killAt: { step, objectId } });
  expect(await child.ended, child.logged()).toBe("SIGKILL");
}
