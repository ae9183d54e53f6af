import { expect, it } from "vitest";
import { exportedOf, recordsOf } from "../testing/exported.ts";
import { facts, hoursOf, inAws, month } from "../testing/metered.ts";
import { costColumns, costRows } from "./cost-columns.ts";
import { amountText, quantityText } from "./decimal-text.ts";

const hours = { from: month.from, to: month.from + 30 };
const rowsOf = (...of: Parameters<typeof exportedOf>) => recordsOf(costColumns, costRows(exportedOf(...of)));

it("writes one row for each day in which the load balancer existed", () => {
  const rows = rowsOf(facts({ runs: inAws, labels: { team: "shop" } }), { hours });
  expect(rows.map(({ from, to, balancer_hours }) => [from, to, balancer_hours])).toEqual([
    ["2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z", "24"],
    ["2026-11-02T00:00:00.000Z", "2026-11-02T06:00:00.000Z", "6"],
  ]);
  expect(rows[0]).toMatchObject({
    ...{ load_balancer_id: "lb_1", load_balancer: "shop", cluster: "prod", labels: '{"team":"shop"}' },
    ...{ currency: "USD", cost: expect.stringMatching(/^\d+\.\d+$/), known_share: "1" },
  });
});

it("leaves an unknown cost empty, and names what is missing", () => {
  const [row] = rowsOf(facts({}), { hours });
  expect(row).toMatchObject({ cost: "", known_share: "0", notes: expect.stringContaining("Set the region") });
});

it("shows a cost that is only partly known as a minimum, with its known share", () => {
  const used = hoursOf({}, hours).map((hour, i) =>
    i < 12 ? { ...hour, coveredSeconds: 0, bytesIn: null, connectionSeconds: null } : hour,
  );
  const [row] = rowsOf(facts({ runs: inAws }), { hours, used });
  expect([row?.known_share, Number(row?.cost) > 0]).toEqual(["0.5", true]);
});

it.each([
  [0, "0"],
  [1, "0.000001"],
  [1_000_000, "1"],
  [-22_500, "-0.0225"],
  [1_234_567_890_100_000, "1234567890.1"],
])("writes %i micros as %s", (micros, text) => {
  expect(amountText(micros)).toBe(text);
});

it.each([
  [100, "100"],
  [0.5, "0.5"],
  [1e-9, "0.000000001"],
  [1 / 720, "0.001388888889"],
])("writes the quantity %d as %s", (quantity, text) => {
  expect(quantityText(quantity)).toBe(text);
});
