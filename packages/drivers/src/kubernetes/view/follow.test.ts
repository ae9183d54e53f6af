import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { EndlessList, ResponseTooLong } from "@fairlead/http";
import { afterEach, expect, it, vi } from "vitest";
import { explainKubernetesError } from "../access/explain-error.ts";
import type { KubernetesReads } from "../api/connect.ts";
import { KubernetesError } from "../api/error.ts";
import { type Followed, type FollowOptions, follow } from "./follow.ts";
import { type KubernetesObject, keepPod, type Pod } from "./objects.ts";

let followed: Followed<Pod> | null = null;
afterEach(() => followed?.stop());

const access = { type: "in-cluster" } as const;

it("reports a response that isn't an apiserver's as trouble, and doesn't use it", async () => {
  const list = vi.fn(async () => ({ hello: "world" }));
  const troubles: unknown[] = [];
  followed = follow(
    { list } as unknown as KubernetesReads,
    { path: "/api/v1/pods", keep: keepPod },
    {
      onChange: () => {},
      onTrouble: (error) => troubles.push(error),
      times: { firstRetryMs: 1, lastRetryMs: 5 },
    },
  );
  await vi.waitFor(() => expect(troubles.length).toBeGreaterThan(2), { timeout: 30_000 });
  expect(troubles).not.toContain(null);
  expect(explainKubernetesError(troubles[0], { what: "list pods", access }).message).toContain(
    "doesn't respond like a Kubernetes API",
  );
  expect(followed.isWhole()).toBe(false);
  expect(followed.receivedAt()).toBeNull();
});

const empty = { metadata: { resourceVersion: "1" }, items: [] };

/** Follows pods of a fake apiserver, and records failures with their times. */
function followPods(reads: object, times: FollowOptions<Pod>["times"] = {}): { error: unknown; atMs: number }[] {
  const failures: { error: unknown; atMs: number }[] = [];
  followed = follow(
    reads as KubernetesReads,
    { path: "/api/v1/pods", keep: keepPod },
    {
      onChange: () => {},
      onTrouble: (error) => error && failures.push({ error, atMs: performance.now() }),
      random: () => 1,
      times,
    },
  );
  return failures;
}

const neverAgain = { firstRetryMs: 3_600_000, lastRetryMs: 3_600_000 };
const patience = { timeout: 10_000 };

it("waits between watches that a server ends at once", async () => {
  const startedAt = performance.now();
  const openedAt: number[] = [];
  const stream = async () => {
    openedAt.push(performance.now());
    await nextTurn();
    return Readable.from([]);
  };
  followPods({ list: async () => empty, stream }, { reopenMs: 50 });
  await vi.waitFor(() => expect(openedAt.length).toBeGreaterThan(5), patience);
  // Each starts 50 ms after the start of the previous one. A stall only delays one; a timer may fire a millisecond early.
  for (const [before, at] of openedAt.entries()) expect(at - startedAt).toBeGreaterThan(49 * before - 1);
});

it.each([
  ["whose pages form a loop", () => "again", "a page links back to an earlier one"],
  ["whose pages don't end", (page: number) => `page-${page}`, "it has more than 2000 pages"],
])("gives up a list %s, and doesn't treat it as complete", async (_, nextPage, why) => {
  let pages = 0;
  const list = async () => {
    await nextTurn();
    return { ...empty, metadata: { ...empty.metadata, continue: nextPage(pages++) } };
  };
  const failures = followPods({ list }, neverAgain);
  await vi.waitFor(() => expect(failures).toHaveLength(1), patience);
  expect(failures[0]?.error).toEqual(new EndlessList("the list of /api/v1/pods", why));
  expect(explainKubernetesError(failures[0]?.error, { what: "list pods", access }).message).toContain(why);
  expect(pages).toBeLessThanOrEqual(2_000);
  expect(followed?.isWhole()).toBe(false);
});

it("gives up a watch with an endless line", async () => {
  let mebibytes = 0;
  const body = new Readable({
    read() {
      mebibytes += 1;
      this.push(mebibytes > 64 ? null : Buffer.alloc(1024 * 1024, "x"));
    },
  });
  const failures = followPods({ list: async () => empty, stream: async () => body }, neverAgain);
  await vi.waitFor(() => expect(failures).toHaveLength(1), patience);
  expect(failures[0]?.error).toEqual(new ResponseTooLong("line", 16 * 1024 * 1024));
  expect(body.destroyed).toBe(true);
  expect(mebibytes).toBeLessThan(20);
});

it("retries less and less often if responses start but contain no complete event", async () => {
  const stream = async () => Readable.from([Buffer.from("not JSON\n")]);
  const failures = followPods(
    { list: async () => empty, stream },
    { firstRetryMs: 20, lastRetryMs: 10_000, reopenMs: 0 },
  );
  await vi.waitFor(() => expect(failures.length).toBeGreaterThan(4), patience);
  expect((failures[4]?.atMs ?? 0) - (failures[0]?.atMs ?? 0)).toBeGreaterThan(20 + 40 + 80 + 160 - 4);
});

it("replaces what it has of a cluster that was restored from a backup, whose versions are lower", async () => {
  const podOf = (uid: string, resourceVersion: string) => ({
    metadata: { name: "p", namespace: "n", uid, resourceVersion },
  });
  const lists = [
    { metadata: { resourceVersion: "100" }, items: [podOf("before", "90")] },
    { metadata: { resourceVersion: "50" }, items: [podOf("restored", "40")] },
  ];
  const stream = async () => {
    throw new KubernetesError({ status: 410, reason: "Expired", message: "too old", retryAfterMs: null });
  };
  const list = async () => (lists.length > 1 ? lists.shift() : lists[0]);
  followPods({ list, stream }, { firstRetryMs: 1, lastRetryMs: 5, reopenMs: 0 });
  await vi.waitFor(() => expect(followed?.items.get("n/p")?.uid).toBe("restored"), patience);
});

it("ignores the late response of a write to an object whose removal the watch has reported", async () => {
  const pod = (resourceVersion: string, name = "web-0") => ({
    metadata: { namespace: "shop", name, uid: name, resourceVersion },
  });
  const watched = new Readable({ read() {} });
  const report = (type: string, object: object) => watched.push(`${JSON.stringify({ type, object })}\n`);
  followPods({ list: async () => ({ ...empty, items: [pod("1")] }), stream: async () => watched });
  await vi.waitFor(() => expect(followed?.items.size).toBe(1), patience);
  // Terminating in version 2, removed in 3.
  report("DELETED", pod("3"));
  await vi.waitFor(() => expect(followed?.items.size).toBe(0), patience);
  followed?.absorb(pod("2") as KubernetesObject);
  expect([...(followed?.items.keys() ?? [])]).toEqual([]);
  followed?.absorb(pod("4", "web-1") as KubernetesObject);
  expect([...(followed?.items.keys() ?? [])]).toEqual(["shop/web-1"]);
  watched.push(null);
});
