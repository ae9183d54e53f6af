import { expect, it } from "vitest";
import { KubernetesError } from "./error.ts";
import { mostAtOnce, Turns } from "./turns.ts";

const tooMany = (retryAfterMs: number | null = 20) =>
  new KubernetesError({ status: 429, reason: "TooManyRequests", message: "too many requests", retryAfterMs });
const moment = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An apiserver that accepts a number of concurrent requests, and throttles others. */
function limitedServer(seats: number) {
  let inside = 0;
  const throttledAt: number[] = [];
  let most = 0;
  return {
    throttledAt,
    most: () => most,
    async send(): Promise<"done"> {
      if (inside >= seats) {
        throttledAt.push(performance.now());
        throw tooMany();
      }
      inside += 1;
      most = Math.max(most, inside);
      await moment();
      inside -= 1;
      return "done";
    },
  };
}

it("limits concurrent requests", async () => {
  const turns = new Turns();
  const server = limitedServer(1_000);
  await Promise.all(Array.from({ length: 200 }, () => turns.take(server.send)));
  expect(server.most()).toBe(mostAtOnce);
});

it("pauses all requests when one is throttled, then sends fewer at once, until all are done", async () => {
  const turns = new Turns();
  const server = limitedServer(3);
  const answers = await Promise.all(Array.from({ length: 400 }, () => turns.take(server.send)));
  expect(new Set(answers)).toEqual(new Set(["done"]));
  // A burst has at most as many requests as were sent at once, and the server's pause follows it.
  const bursts = server.throttledAt.filter((at, i, all) => i === 0 || at - (all[i - 1] ?? 0) > 15);
  expect(server.throttledAt.length).toBeLessThanOrEqual(mostAtOnce + 3 * bursts.length);
  expect(server.throttledAt.length).toBeLessThan(60);
});

it("sends requests that started to wait between two pauses", { timeout: 20_000 }, async () => {
  const turns = new Turns();
  let inside = 0;
  let rounds = 0;
  const send = async () => {
    if (inside === 0) rounds += 1;
    inside += 1;
    await moment();
    inside -= 1;
    if (rounds <= 7) throw tooMany();
    return "done";
  };
  const answers = await Promise.all(Array.from({ length: mostAtOnce + 4 }, () => turns.take(send)));
  expect(new Set(answers)).toEqual(new Set(["done"]));
});

it("passes the turn of an aborted request to the next one", { timeout: 20_000 }, async () => {
  // The moment depends on the number of steps of a call, so all are tried.
  for (let steps = 0; steps < 16; steps++) {
    const turns = new Turns();
    const open = Promise.withResolvers<void>();
    const shut = new Promise<void>(() => {});
    for (let i = 1; i < mostAtOnce; i++) void turns.take(() => shut);
    const last = turns.take(() => open.promise);
    const stopping = new AbortController();
    const stopped = turns.take(async () => "sent", stopping.signal).catch(() => "stopped");
    const next = turns.take(async () => "sent");
    await moment();
    open.resolve();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    stopping.abort();
    await Promise.all([last, stopped]);
    expect(await next).toBe("sent");
  }
});

it("gives up after several throttled tries, and at once on other errors", async () => {
  const turns = new Turns();
  let tries = 0;
  const always = (error: Error) => async () => {
    tries += 1;
    throw error;
  };
  await expect(turns.take(always(tooMany(1)))).rejects.toThrow("too many requests");
  expect(tries).toBe(6);
  await expect(turns.take(always(new Error("gone")))).rejects.toThrow("gone");
  expect(tries).toBe(7);
});

it("stops waiting when it is aborted", async () => {
  const turns = new Turns();
  const stopping = new AbortController();
  const waiting = turns.take(async () => {
    throw tooMany(60_000);
  }, stopping.signal);
  await moment();
  stopping.abort(new Error("the controller is stopping"));
  await expect(waiting).rejects.toThrow("the controller is stopping");
});
