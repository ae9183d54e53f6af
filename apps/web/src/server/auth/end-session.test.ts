import { describe, expect, it, vi } from "vitest";
import { log } from "../log.ts";
import { endSession } from "./end-session.ts";

describe("signing out", () => {
  it("returns a message for the page when it fails, and logs the cause", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => {});
    const cause = new Error("the connection was lost");
    const outcome = await endSession(() => Promise.reject(cause), new Headers());
    expect(outcome).toBe("An internal error occurred and was logged. Try again shortly.");
    expect(logged).toHaveBeenCalledWith("fault", { operation: "sign-in", err: cause });
    logged.mockRestore();
  });

  it("returns nothing when it succeeds", async () => {
    expect(await endSession(async () => ({ success: true }), new Headers())).toBeNull();
  });
});
