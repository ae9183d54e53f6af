import { describe, expect, it } from "vitest";
import { problemOf } from "../../../trpc/problem.ts";
import { resumeAsSeen } from "./resume-as-seen.ts";

function failure(outcome: string): Error {
  return Object.assign(new Error(`failed: ${outcome}`), { data: { outcome } });
}

/** An exposure whose spec has this generation. */
function fakeCalls(stored: { generation: number }) {
  const expected: (number | undefined)[] = [];
  return {
    expected,
    async resume({ expectedGeneration }: { expectedGeneration?: number | undefined }) {
      expected.push(expectedGeneration);
      if (expectedGeneration !== undefined && expectedGeneration !== stored.generation)
        throw failure("precondition-failed");
    },
    get: async () => stored,
  };
}

const shop = { id: "exp_1", name: "shop", generation: 3 };

describe("resumeAsSeen", () => {
  it("resumes the spec that the user saw", async () => {
    const calls = fakeCalls({ generation: 3 });
    await resumeAsSeen(calls)(shop);
    expect(calls.expected).toEqual([3]);
  });

  it("explains that the spec was edited meanwhile, and applies the edited one when called again", async () => {
    const calls = fakeCalls({ generation: 4 });
    const resume = resumeAsSeen(calls);
    const problem = problemOf(await resume(shop).catch((error: unknown) => error));
    expect(problem).toMatchObject({ code: "precondition-failed", message: expect.stringContaining("shop was edited") });
    await resume(shop);
    expect(calls.expected).toEqual([3, 4]);
  });

  it("reports an edit between both attempts", async () => {
    const stored = { generation: 4 };
    const resume = resumeAsSeen(fakeCalls(stored));
    await expect(resume(shop)).rejects.toThrow("shop was edited");
    stored.generation = 5;
    await expect(resume(shop)).rejects.toThrow("shop was edited");
    await resume(shop);
  });

  it("keeps the message of any other failure", async () => {
    const resume = async () => Promise.reject(failure("exhausted"));
    await expect(resumeAsSeen({ ...fakeCalls({ generation: 3 }), resume })(shop)).rejects.toThrow("failed: exhausted");
  });
});
