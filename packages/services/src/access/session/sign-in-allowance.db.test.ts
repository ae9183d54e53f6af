import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { forgetSignInAttempts, takeSignInAttempt } from "./sign-in-allowance.ts";

let database: TestDatabase;
const now = new Date();
const email = "ada@example.com";

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.allowance.deleteMany();
});

function later(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

/** How many attempts pass at one moment, and how long the next one has to wait. */
async function passing(attempt: (at: number) => { email: string; address: string | null }, moment: Date) {
  for (let at = 0; at < 100; at++) {
    const wait = await takeSignInAttempt(database.db, attempt(at), moment).then(
      () => null,
      (error: { retryAfterSeconds: number }) => error.retryAfterSeconds,
    );
    if (wait !== null) return { passed: at, wait };
  }
  return { passed: 100, wait: 0 };
}

it("allows ten attempts for one email address from one network address, then one each half minute", async () => {
  const attempt = (at: number) => ({ email: at % 2 ? email : " ADA@example.com ", address: "10.0.0.1" });
  expect(await passing(attempt, now)).toEqual({ passed: 10, wait: 30 });
  expect(await passing(attempt, later(29))).toEqual({ passed: 0, wait: 1 });
  expect(await passing(attempt, later(30))).toEqual({ passed: 1, wait: 30 });
  expect(await passing(attempt, later(3_600))).toEqual({ passed: 10, wait: 30 });
});

it("doesn't lock out a user because another network address uses up its attempts, even for hours", async () => {
  for (let minute = 0; minute < 180; minute++)
    await passing(() => ({ email, address: "192.0.2.1" }), later(minute * 60));
  expect((await passing(() => ({ email, address: "10.0.0.1" }), later(180 * 60))).passed).toBe(10);
});

it("allows a hundred attempts for one email address from everywhere, then one each three seconds", async () => {
  const attempt = (at: number) => ({ email, address: `10.0.0.${at}` });
  const all = async (moment: Date, from: number) => {
    const outcomes = [];
    for (let at = from; at < from + 110; at++)
      outcomes.push(
        await takeSignInAttempt(database.db, attempt(at % 250), moment).then(
          () => true,
          () => false,
        ),
      );
    return outcomes.filter((passed) => passed).length;
  };
  expect(await all(now, 0)).toBe(100);
  expect(await all(later(30), 120)).toBe(10);
});

it("allows thirty attempts from one network address, for any email addresses", async () => {
  const attempt = (at: number) => ({ email: `p${at}@example.com`, address: "10.0.0.1" });
  expect(await passing(attempt, now)).toEqual({ passed: 30, wait: 2 });
});

it("counts the IPv6 addresses of one /64 as one network address", async () => {
  const attempt = (at: number) => ({ email: `p${at}@example.com`, address: `2001:db8:1:2::${at}` });
  expect(await passing(attempt, now)).toEqual({ passed: 30, wait: 2 });
  const elsewhere = { email, address: "2001:db8:1:3::1" };
  await expect(takeSignInAttempt(database.db, elsewhere, now)).resolves.toBeUndefined();
});

it("counts the attempts of a known client apart, at most ten at once and a hundred of all known ones", async () => {
  for (let at = 0; at < 110; at++)
    await takeSignInAttempt(database.db, { email, address: `10.0.0.${at}` }, now).catch(() => {});
  const from = (knownClient: string) => () => ({ email, address: "10.0.0.1", knownClient });
  expect(await passing(from("a"), now)).toEqual({ passed: 10, wait: 30 });
  for (let client = 0; client < 9; client++) expect((await passing(from(`${client}`), now)).passed).toBe(10);
  expect((await passing(from("b"), now)).passed).toBe(0);
  // Then one has the attempts of an unknown client, which an anonymous client must not have used up as well.
  const other = "bob@example.com";
  const known = (knownClient: string) => () => ({ email: other, address: "10.1.0.1", knownClient });
  for (let client = 0; client < 10; client++) await passing(known(`${client}`), now);
  expect((await passing(known("own"), now)).passed).toBe(10);
});

it("counts concurrent attempts one by one", async () => {
  const attempts = Array.from({ length: 40 }, () => takeSignInAttempt(database.db, { email, address: null }, now));
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.filter((each) => each.status === "fulfilled")).toHaveLength(10);
});

it("starts again after the right password, and keeps no address in readable form", async () => {
  await passing(() => ({ email, address: "10.0.0.1" }), now);
  expect(JSON.stringify(await database.db.allowance.findMany())).not.toMatch(/ada|10\.0\.0\.1/);
  await forgetSignInAttempts(database.db, { email, address: null });
  expect((await passing(() => ({ email, address: "10.0.0.1" }), now)).passed).toBe(0);
  await forgetSignInAttempts(database.db, { email, address: "10.0.0.1" });
  expect(await passing(() => ({ email, address: "10.0.0.1" }), now)).toEqual({ passed: 10, wait: 30 });
});
