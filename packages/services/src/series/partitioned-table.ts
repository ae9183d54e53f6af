import { type Resolution, resolutions } from "@fairlead/domain/series";

/** The tables of samples, and how each is partitioned. */
export type PartitionedTable = { name: "sample" | "sample_minute" | "sample_hour"; every: "hour" | "day" | "month" };

export const tables: Record<Resolution, PartitionedTable> = {
  raw: { name: "sample", every: "hour" },
  minute: { name: "sample_minute", every: "day" },
  hour: { name: "sample_hour", every: "month" },
};

export type Partition = { table: PartitionedTable; name: string; from: Date; to: Date };

/** partitionOf is the partition of a moment. All bounds are UTC. */
export function partitionOf(table: PartitionedTable, at: Date): Partition {
  const [year, month, day, hour] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours()];
  const stamp = at.toISOString().replace(/\D/g, "");
  switch (table.every) {
    case "hour":
      return partition(
        table,
        stamp.slice(0, 10),
        Date.UTC(year, month, day, hour),
        Date.UTC(year, month, day, hour + 1),
      );
    case "day":
      return partition(table, stamp.slice(0, 8), Date.UTC(year, month, day), Date.UTC(year, month, day + 1));
    case "month":
      return partition(table, stamp.slice(0, 6), Date.UTC(year, month), Date.UTC(year, month + 1));
    default:
      return table.every satisfies never;
  }
}

/** parsePartition parses a name, or returns null for a table that is not one of our partitions. */
export function parsePartition(table: PartitionedTable, name: string): Partition | null {
  const match = new RegExp(`^${table.name}_(\\d{4})(\\d{2})(\\d{2})?(\\d{2})?$`).exec(name);
  if (!match) return null;
  const [, year, month, day = "01", hour = "00"] = match;
  const at = new Date(`${year}-${month}-${day}T${hour}:00:00Z`);
  if (Number.isNaN(at.getTime())) return null;
  const found = partitionOf(table, at);
  return found.name === name ? found : null;
}

/** partitionsBetween returns those that contain any moment of [from, to]. */
export function partitionsBetween(table: PartitionedTable, from: Date, to: Date): Partition[] {
  const found: Partition[] = [];
  for (let at = from; at <= to; at = found.at(-1)?.to ?? to) {
    const next = partitionOf(table, at);
    found.push(next);
    if (next.to > to) break;
  }
  return found;
}

/** isOutlived reports whether everything in a partition is past its table's retention. */
export function isOutlived(partition: Partition, resolution: Resolution, now: Date): boolean {
  return partition.to.getTime() <= now.getTime() - resolutions[resolution].retentionMs;
}

function partition(table: PartitionedTable, stamp: string, from: number, to: number): Partition {
  return { table, name: `${table.name}_${stamp}`, from: new Date(from), to: new Date(to) };
}
