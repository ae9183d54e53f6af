import type { FlowPlace } from "@fairlead/domain/traffic-flow";
import { expect, it } from "vitest";
import { columnTitle, placeDrops, placeFigure, placeHref, placeName, stateLook } from "./flow-words.ts";
import { layFlow } from "./lay-flow.ts";

const place = (key: string, fields: Partial<FlowPlace>): FlowPlace => ({
  ...{ key, column: "replica", kind: "replica", id: null, name: key, size: 1, throughputBps: 1e6, share: 0.5 },
  ...{ dropsPerSecond: null, state: "up", backends: null },
  ...fields,
});
const a = place("a", { column: "client", kind: "clients" });
const b = place("b", {});
const c = place("c", { state: "down", throughputBps: 0 });

it("connects the edges of places, the more traffic the thicker", () => {
  const { columns, lines, rows } = layFlow({
    places: [a, b, c],
    links: [
      { from: "a", to: "b", throughputBps: 1e6 },
      { from: "a", to: "c", throughputBps: 0 },
      { from: "a", to: "gone", throughputBps: 1 },
    ],
  });
  expect(columns.map(({ column, places }) => [column, places.length])).toEqual([
    ["client", 1],
    ["replica", 2],
  ]);
  expect(rows).toBe(2);
  expect(lines.map(({ path, width, look }) => [path, width, look])).toEqual([
    ["M42.5 50 C50 50 50 25 57.5 25", 12, "measured"],
    ["M42.5 50 C50 50 50 75 57.5 75", 1.5, "broken"],
  ]);
});

it("draws an unmeasured line thin and dotted", () => {
  const { lines } = layFlow({ places: [a, b], links: [{ from: "a", to: "b", throughputBps: null }] });
  expect(lines).toMatchObject([{ width: 1.5, look: "unknown" }]);
});

it("names places", () => {
  const names = [b, place("", { size: 3 }), place("", { kind: "clients" }), place("", { kind: "router" })].map(
    placeName,
  );
  expect(names).toEqual(["b", "3 more replicas", "All clients", "External routers"]);
});

it("describes traffic and drops", () => {
  const plain = (text: string | null) => text?.replaceAll("\u00a0", " ");
  expect([b, place("d", { share: 1 }), place("e", { throughputBps: null })].map(placeFigure).map(plain)).toEqual([
    "1.00 Mbit/s · 50 %",
    "1.00 Mbit/s",
    "not measured",
  ]);
  expect([b, place("f", { dropsPerSecond: 2.5 })].map(placeDrops).map(plain)).toEqual([
    undefined,
    "2.50 pkt/s dropped",
  ]);
});

it("links nodes, load balancers and exposures to their pages", () => {
  const hrefs = (["replica", "load-balancer", "exposure", "backends"] as const).map((kind) =>
    placeHref(place("x", { kind, id: "1" })),
  );
  expect(hrefs).toEqual(["/nodes/1", "/load-balancers/1", "/exposures/1", "/exposures/1?tab=backends"]);
  expect(placeHref(b)).toBeNull();
});

it("titles a column by its places", () => {
  expect(columnTitle("client", [a])).toBe("Clients");
  expect(columnTitle("client", [place("n", { kind: "network" })])).toBe("Client networks");
  expect(columnTitle("exposure", [place("n", { kind: "exposure" })])).toBe("Exposures");
});

it("has a word for a router without a route", () => {
  expect(stateLook("down", "router")?.word).toBe("No route");
  expect(stateLook("down", "exposure")?.word).toBe("Failed");
  expect(stateLook("none", "network")).toBeNull();
});

it("connects an exposure with its backends, and shows how many of them are up", () => {
  const shop = place("shop", { column: "exposure", kind: "exposure" });
  const behind = place("behind", {
    ...{ column: "backend", kind: "backends", name: "shop", state: "down" },
    backends: { up: 0, total: 4 },
  });
  const { columns, lines } = layFlow({
    places: [b, shop, behind],
    links: [{ from: "shop", to: "behind", throughputBps: null }],
  });
  expect(columns.map(({ column }) => column)).toEqual(["replica", "exposure", "backend"]);
  expect(lines).toMatchObject([{ look: "broken" }]);
  expect([placeName(behind), placeFigure(behind), stateLook("down", "backends")?.word]).toEqual([
    "shop",
    "0 of 4 up",
    "Down",
  ]);
  const rest = place("", { kind: "backends", size: 30, backends: { up: 0, total: 0 } });
  expect([placeName(rest), placeFigure(rest)]).toEqual(["30 more exposures", "no backends"]);
});
