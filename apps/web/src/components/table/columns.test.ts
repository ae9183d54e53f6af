import { describe, expect, it } from "vitest";
import { allInOrder, type ColumnHead, moveColumn, shownColumns, toggleColumn } from "./columns.ts";

const head = (id: string, more: Partial<ColumnHead> = {}): ColumnHead => ({
  id,
  label: id,
  width: "1fr",
  minRem: 8,
  narrow: "line",
  ...more,
});
const columns = [head("name", { isFixed: true }), head("phase"), head("age"), head("id", { isHiddenAtFirst: true })];
const idsOf = (chosen: string[] | null) => shownColumns(columns, chosen).map(({ id }) => id);

describe("columns", () => {
  it.each([
    ["shows the default columns without a selection", null, ["name", "phase", "age"]],
    ["keeps the selected order", ["age", "name"], ["age", "name"]],
    ["never loses the column that names the row", ["phase"], ["name", "phase"]],
    ["drops unknown ids, such as from an old link", ["name", "gone"], ["name"]],
  ])("%s", (_, chosen, want) => {
    expect(idsOf(chosen)).toEqual(want);
  });

  it.each([
    ["hides", null, "age", ["name", "phase"]],
    ["shows", null, "id", ["name", "phase", "age", "id"]],
    ["writes nothing if the default is restored", ["name", "phase"], "age", null],
  ])("toggling %s", (_, chosen, id, want) => {
    expect(toggleColumn(columns, chosen, id)).toEqual(want);
  });

  it.each([
    ["left", null, "age", -1, ["name", "age", "phase"]],
    ["back to the default order, which is not written", ["name", "age", "phase"], "age", 1, null],
    ["not beyond the edge", ["age", "name"], "age", -1, ["age", "name"]],
  ] as const)("moves %s", (_, chosen, id, by, want) => {
    expect(moveColumn(columns, chosen, id, by)).toEqual(want);
  });

  it("lists hidden columns after the shown ones", () => {
    expect(allInOrder(columns, ["age", "name"]).map(({ id }) => id)).toEqual(["age", "name", "phase", "id"]);
  });
});
