import { describe, expect, it } from "vitest";
import { isOutlived, parsePartition, partitionOf, partitionsBetween, tables } from "./partitioned-table.ts";

const at = new Date("2026-12-31T23:59:59.999Z");

describe("partitions", () => {
  it.each([
    ["raw", "sample_2026123123", "2026-12-31T23:00:00.000Z", "2027-01-01T00:00:00.000Z"],
    ["minute", "sample_minute_20261231", "2026-12-31T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
    ["hour", "sample_hour_202612", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
  ] as const)("of %s hold whole spans of UTC", (resolution, name, from, to) => {
    const partition = partitionOf(tables[resolution], at);
    expect(partition).toMatchObject({ name, from: new Date(from), to: new Date(to) });
    expect(parsePartition(tables[resolution], name)).toEqual(partition);
  });

  it.each(["sample", "sample_20261231", "sample_2026139923", "sample_hour_202612", "sample_2026123123_old"])(
    "ignore a table named %s",
    (name) => {
      expect(parsePartition(tables.raw, name)).toBeNull();
    },
  );

  it("follow each other without a gap", () => {
    const names = partitionsBetween(tables.raw, new Date("2026-12-31T22:30:00Z"), new Date("2027-01-01T00:00:00Z"));
    expect(names.map((each) => each.name)).toEqual(["sample_2026123122", "sample_2026123123", "sample_2027010100"]);
  });

  it("expire only when their newest moment does", () => {
    const partition = partitionOf(tables.raw, at);
    expect(isOutlived(partition, "raw", new Date("2027-01-01T23:59:59.999Z"))).toBe(false);
    expect(isOutlived(partition, "raw", new Date("2027-01-02T00:00:00.000Z"))).toBe(true);
  });
});
