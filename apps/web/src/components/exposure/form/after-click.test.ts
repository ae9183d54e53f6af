import { expect, it, vi } from "vitest";
import { afterClick, watchPointer } from "./after-click.ts";

it("waits while a button is held, until the click has happened", () => {
  vi.useFakeTimers();
  const target = new EventTarget();
  const stop = watchPointer(target);
  const done: string[] = [];
  afterClick(() => done.push("at once"));
  target.dispatchEvent(new Event("pointerdown"));
  afterClick(() => done.push("held"));
  expect(done).toEqual(["at once"]);
  target.dispatchEvent(new Event("pointerup"));
  done.push("click");
  vi.runAllTimers();
  expect(done).toEqual(["at once", "click", "held"]);
  stop();
  vi.useRealTimers();
});
