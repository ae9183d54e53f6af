import { openTicketSecret, sealTicketSecret, sessionKeysBox, ticketName } from "@fairlead/services";
import { expect, it } from "vitest";
import { TicketNameCache } from "./ticket-name-cache.ts";

const box = sessionKeysBox("a-secret-of-thirty-two-characters!");

/** counted counts how often a secret is opened. */
function counted() {
  const counts = { opened: 0 };
  const open = (sealed: string) => {
    counts.opened++;
    return box.open(sealed);
  };
  return { counts, open };
}

it("derives each name once, and opens a secret only for a name that isn't known", () => {
  const sealed = sealTicketSecret(box);
  const cache = new TicketNameCache();
  const counting = counted();
  const first = cache.of({ sealed }, counting);
  const want = ticketName(openTicketSecret(box, sealed), "web-1");
  expect(first("web-1")).toEqual(want);
  expect(first("web-2")).not.toEqual(want);
  expect(counting.counts.opened).toBe(1);
  expect(cache.of({ sealed }, counting)("web-1")).toBe(first("web-1"));
  expect(counting.counts.opened).toBe(1);
  expect(cache.of({ sealed: sealTicketSecret(box) }, counting)("web-1")).not.toEqual(want);
  const mark = cache.of({ sealed, isMark: true }, counting);
  expect(mark("web-1")).toEqual(ticketName(openTicketSecret(box, sealed), "web-1", { isMark: true }));
  expect(first("web-1")).toEqual(want);
});

it("forgets the oldest secrets beyond its limit", () => {
  const cache = new TicketNameCache(10);
  for (let i = 0; i < 30; i++) {
    const nameOf = cache.of({ sealed: sealTicketSecret(box) }, box);
    for (const server of ["web-1", "web-2", "web-3"]) expect(nameOf(server)).toHaveLength(16);
    expect(cache.size).toBeLessThanOrEqual(10);
  }
  const many = cache.of({ sealed: sealTicketSecret(box) }, box);
  for (let i = 0; i < 100; i++) many(`web-${i}`);
  expect(cache.size).toBeLessThanOrEqual(10);
});
