import { expect, it } from "vitest";
import { KubernetesError } from "./error.ts";
import { mostAtOnce, Turns } from "./turns.ts";

const tooMany = (retryAfterMs: number | null = 20) =>
  new KubernetesError({ status: 429, reason: "TooManyRequests", message: "too many requests", retryAfterMs });
const moment = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An apiserver that lets in so many at once and turns the others away. */
function narrowServer(seats: number) {
  let inside = 0;
  const turnedAwayAt: number[] = [];
  let most = 0;
  return {
    turnedAwayAt,
    most: () => most,
    async ask(): Promise<"done"> {
      if (inside >= seats) {
        turnedAwayAt.push(performance.now());
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

it("lets no more go at once than it should", async () => {
  const turns = new Turns();
  const server = narrowServer(1_000);
  await Promise.all(Array.from({ length: 200 }, () => turns.take(server.ask)));
  expect(server.most()).toBe(mostAtOnce);
});

it("has all wait when one is turned away, and fewer go from then on, so that everything is done in the end", async () => {
  const turns = new Turns();
  const server = narrowServer(3);
  const answers = await Promise.all(Array.from({ length: 400 }, () => turns.take(server.ask)));
  expect(new Set(answers)).toEqual(new Set(["done"]));
  // Each burst is at most as large as what went at once, and after each there was the pause that was asked for.
  const bursts = server.turnedAwayAt.filter((at, i, all) => i === 0 || at - (all[i - 1] ?? 0) > 15);
  expect(server.turnedAwayAt.length).toBeLessThanOrEqual(mostAtOnce + 3 * bursts.length);
  expect(server.turnedAwayAt.length).toBeLessThan(60);
});

it("forgets nobody who came between two pauses", { timeout: 20_000 }, async () => {
  const turns = new Turns();
  let inside = 0;
  let rounds = 0;
  const ask = async () => {
    if (inside === 0) rounds += 1;
    inside += 1;
    await moment();
    inside -= 1;
    if (rounds <= 7) throw tooMany();
    return "done";
  };
  const answers = await Promise.all(Array.from({ length: mostAtOnce + 4 }, () => turns.take(ask)));
  expect(new Set(answers)).toEqual(new Set(["done"]));
});

it("gives the turn of one that is told to stop just then to the next", { timeout: 20_000 }, async () => {
  // When just then is depends on how many steps its call takes.
  for (let steps = 0; steps < 16; steps++) {
    const turns = new Turns();
    const open = Promise.withResolvers<void>();
    const shut = new Promise<void>(() => {});
    for (let i = 1; i < mostAtOnce; i++) void turns.take(() => shut);
    const last = turns.take(() => open.promise);
    const stopping = new AbortController();
    const stopped = turns.take(async () => "went", stopping.signal).catch(() => "stopped");
    const next = turns.take(async () => "went");
    await moment();
    open.resolve();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    stopping.abort();
    await Promise.all([last, stopped]);
    expect(await next).toBe("went");
  }
});

it("gives up in the end on what is turned away again and again, and at once on anything else", async () => {
  const turns = new Turns();
  let asked = 0;
  const always = (error: Error) => async () => {
    asked += 1;
    throw error;
  };
  await expect(turns.take(always(tooMany(1)))).rejects.toThrow("too many requests");
  expect(asked).toBe(6);
  await expect(turns.take(always(new Error("gone")))).rejects.toThrow("gone");
  expect(asked).toBe(7);
});

it("waits no longer when it is told to stop", async () => {
  const turns = new Turns();
  const stopping = new AbortController();
  const waiting = turns.take(async () => {
    throw tooMany(60_000);
  }, stopping.signal);
  await moment();
  stopping.abort(new Error("the controller is stopping"));
  await expect(waiting).rejects.toThrow("the controller is stopping");
});
