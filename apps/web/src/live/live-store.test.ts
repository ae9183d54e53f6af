import { expect, test } from "vitest";
import { LiveStore } from "./live-store.ts";

test("who pauses sees that before anything but the end of the session", () => {
  const store = new LiveStore();
  store.tell({ stream: "live" });
  store.tell({ paused: true });
  expect(store.facts().state).toBe("paused");
  store.tell({ stream: "reconnecting" });
  expect(store.facts().state).toBe("paused");
  store.tell({ stream: "signed-out" });
  expect(store.facts()).toEqual({ state: "signed-out", paused: true, waiting: 0 });
});

test("those who show it are told of news, once, and of nothing that changes nothing", () => {
  const store = new LiveStore();
  let told = 0;
  const leave = store.subscribe(() => told++);
  store.tell({ stream: "live" });
  const facts = store.facts();
  store.tell({ stream: "live", waiting: 0 });
  expect(told).toBe(1);
  expect(store.facts()).toBe(facts);
  leave();
  store.tell({ stream: "reconnecting" });
  expect(told).toBe(1);
});
