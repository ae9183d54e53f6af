import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Turnstile } from "./turnstile.ts";

it("limits concurrency, runs the others in order, and rejects callers if the queue is full", async () => {
  const turnstile = new Turnstile(2, 3);
  const order: number[] = [];
  let inside = 0;
  let most = 0;
  const callers = [0, 1, 2, 3, 4, 5, 6].map((number) =>
    turnstile
      .pass(new AbortController().signal, async () => {
        most = Math.max(most, ++inside);
        await sleep(5);
        inside--;
        if (number === 1) throw new Error("failed");
        order.push(number);
      })
      .catch((error: Error) => error.message),
  );
  const outcomes = await Promise.all(callers);
  expect(most).toBe(2);
  expect(order).toEqual([0, 2, 3, 4]);
  expect(outcomes[1]).toBe("failed");
  for (const refused of outcomes.slice(5)) expect(refused).toContain("Too many agents");
});

it("skips the work of a caller that gave up while waiting", async () => {
  const turnstile = new Turnstile(1, 10);
  const giveUp = new AbortController();
  const patient = new AbortController().signal;
  const first = turnstile.pass(patient, () => sleep(5));
  const second = turnstile.pass(giveUp.signal, async () => "done").catch(() => "skipped");
  const third = turnstile.pass(patient, async () => "done");
  giveUp.abort();
  expect(await Promise.all([first, second, third])).toEqual([undefined, "skipped", "done"]);
});
