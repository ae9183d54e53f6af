import { expect, it } from "vitest";
import { each } from "./each.ts";

const never = new AbortController().signal;
const many = Array.from({ length: 1_000 }, (_, i) => i);
const moment = () => new Promise<void>((resolve) => setImmediate(resolve));

it("starts no more work after a failure, and leaves none running", async () => {
  let begun = 0;
  let going = 0;
  const work = async (item: number) => {
    begun += 1;
    going += 1;
    await moment();
    going -= 1;
    if (item === 3) throw new Error("it doesn't respond in time");
    await moment();
  };
  await expect(each(many, never, work)).rejects.toThrow("it doesn't respond in time");
  const before = begun;
  expect(going).toBe(0);
  expect(before).toBeLessThan(50);
  for (let i = 0; i < 10; i++) await moment();
  expect(begun).toBe(before);
});

it("does all work, also if there is none", async () => {
  const done: number[] = [];
  await each(many, never, async (item) => {
    await moment();
    done.push(item);
  });
  expect(done.sort((a, b) => a - b)).toEqual(many);
  await each([], never, async () => expect.unreachable());
});

it("stops when it is aborted", async () => {
  const stopping = new AbortController();
  let begun = 0;
  const work = async () => {
    if (++begun === 20) stopping.abort(new Error("the controller is stopping"));
    await moment();
  };
  await expect(each(many, stopping.signal, work)).rejects.toThrow("the controller is stopping");
  expect(begun).toBeLessThan(60);
});
