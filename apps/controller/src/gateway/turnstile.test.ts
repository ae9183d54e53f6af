import { expect, it } from "vitest";
import { Turnstile } from "./turnstile.ts";

it("lets so many through at once, the others in order, and turns away who would wait too long", async () => {
  const turnstile = new Turnstile(2, 3);
  const order: number[] = [];
  let inside = 0;
  let most = 0;
  const visitors = [0, 1, 2, 3, 4, 5, 6].map((number) =>
    turnstile
      .pass(new AbortController().signal, async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside--;
        if (number === 1) throw new Error("stumbled");
        order.push(number);
      })
      .catch((error: Error) => error.message),
  );
  const outcomes = await Promise.all(visitors);
  expect(most).toBe(2);
  expect(order).toEqual([0, 2, 3, 4]);
  expect(outcomes[1]).toBe("stumbled");
  for (const refused of outcomes.slice(5)) expect(refused).toContain("Too many agents");
});

it("spares the work of whoever has given up while waiting", async () => {
  const turnstile = new Turnstile(1, 10);
  const giveUp = new AbortController();
  const patient = new AbortController().signal;
  const first = turnstile.pass(patient, () => new Promise((resolve) => setTimeout(resolve, 5)));
  const second = turnstile.pass(giveUp.signal, async () => "done").catch(() => "spared");
  const third = turnstile.pass(patient, async () => "done");
  giveUp.abort();
  expect(await Promise.all([first, second, third])).toEqual([undefined, "spared", "done"]);
});
