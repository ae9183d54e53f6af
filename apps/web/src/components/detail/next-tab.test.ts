import { expect, it } from "vitest";
import { nextTab } from "./next-tab.ts";

const ids = ["agents", "machine", "events"];

it.each([
  ["the first without a choice", null, "agents"],
  ["the one in the URL", "events", "events"],
  ["the first if there is none of that name", "unknown", "agents"],
])("shows %s", (_, wanted, shown) => {
  expect(nextTab(null, wanted, ids)).toEqual({ wanted, home: "agents", shown });
});

it("stays when another tab becomes the first", () => {
  const before = nextTab(null, null, ids);
  expect(nextTab(before, null, ["balancer", ...ids])).toBe(before);
});

it("stays when the tab in the URL is added later", () => {
  const before = nextTab(null, "balancer", ids);
  expect(nextTab(before, "balancer", ["balancer", ...ids])).toBe(before);
});

it("follows the URL, and returns to the tab from before", () => {
  const before = nextTab(null, null, ids);
  const events = nextTab(before, "events", ["balancer", ...ids]);
  expect(events.shown).toBe("events");
  expect(nextTab(events, null, ["balancer", ...ids]).shown).toBe("agents");
});

it("keeps a chosen tab when the first one is removed", () => {
  const events = nextTab(null, "events", ids);
  expect(nextTab(events, "events", ["machine", "events"])).toEqual({
    ...{ wanted: "events", home: "machine", shown: "events" },
  });
});

it("shows the first when the shown one is removed", () => {
  const before = nextTab(null, "events", ids);
  expect(nextTab(before, "events", ["agents", "machine"]).shown).toBe("agents");
  expect(nextTab(before, "events", []).shown).toBe("");
});
