import { expect, test } from "vitest";
import { LiveStore } from "./live-store.ts";

test("paused takes precedence over every state except the end of the session", () => {
  const store = new LiveStore();
  store.update({ stream: "live" });
  store.update({ paused: true });
  expect(store.facts().state).toBe("paused");
  store.update({ stream: "reconnecting" });
  expect(store.facts().state).toBe("paused");
  store.update({ stream: "signed-out" });
  expect(store.facts()).toEqual({ state: "signed-out", paused: true, waiting: 0 });
});

test("subscribers are notified once per change, and not without a change", () => {
  const store = new LiveStore();
  let notified = 0;
  const leave = store.subscribe(() => notified++);
  store.update({ stream: "live" });
  const facts = store.facts();
  store.update({ stream: "live", waiting: 0 });
  expect(notified).toBe(1);
  expect(store.facts()).toBe(facts);
  leave();
  store.update({ stream: "reconnecting" });
  expect(notified).toBe(1);
});
