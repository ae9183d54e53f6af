import { afterEach, expect, it, vi } from "vitest";
import { markUnsaved, onUnsaved, unsavedPanels } from "./unsaved.ts";

function fakeForm(panel?: string) {
  return { dataset: panel === undefined ? {} : { panel } } as unknown as HTMLFormElement;
}

const [settings, other, loose] = [fakeForm("agents"), fakeForm("events"), fakeForm()];
afterEach(() => {
  for (const form of [settings, other, loose]) markUnsaved(form, false);
});

it("lists the panels of forms that are not saved", () => {
  for (const form of [settings, loose, other]) markUnsaved(form, true);
  expect(unsavedPanels()).toEqual(["agents", "events"]);
  markUnsaved(settings, false);
  expect(unsavedPanels()).toEqual(["events"]);
});

it("notifies once for each change, not for each key", () => {
  const listener = vi.fn();
  const stop = onUnsaved(listener);
  markUnsaved(settings, true);
  const panels = unsavedPanels();
  markUnsaved(settings, true);
  expect(unsavedPanels()).toBe(panels);
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
  markUnsaved(settings, false);
  expect(listener).toHaveBeenCalledTimes(1);
});
