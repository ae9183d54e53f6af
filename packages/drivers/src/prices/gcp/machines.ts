import type { PricePoint } from "@fairlead/domain/cost";
import { FeedRefused } from "../feed-refused.ts";
import { readAmount } from "../read-amount.ts";
import { currency, nanosOf, type Sku, tiersOf } from "./skus.ts";

/** Size is the cores and memory of a machine. A small one has a quarter or half of a core. */
type Size = { family: string; cores: number; gib: number };

const sizes: Record<string, Size> = {
  "e2-micro": { family: "E2", cores: 0.25, gib: 1 },
  "e2-small": { family: "E2", cores: 0.5, gib: 2 },
  "e2-medium": { family: "E2", cores: 1, gib: 4 },
  "e2-standard-2": { family: "E2", cores: 2, gib: 8 },
  "e2-standard-4": { family: "E2", cores: 4, gib: 16 },
  "n2-standard-2": { family: "N2", cores: 2, gib: 8 },
  "n2-standard-4": { family: "N2", cores: 4, gib: 16 },
  "n2-highcpu-4": { family: "N2", cores: 4, gib: 4 },
  "c3-highcpu-4": { family: "C3", cores: 4, gib: 8 },
  "c4-standard-2": { family: "C4", cores: 2, gib: 7 },
  "n4-standard-2": { family: "N4", cores: 2, gib: 8 },
  "t2d-standard-2": { family: "T2D", cores: 2, gib: 8 },
};

export const machineSizes = Object.keys(sizes);

const part = /^([A-Z]\d[A-Z]?)(?: AMD)? Instance (Core|Ram) running in /;
const unitsOf = { Core: ["h"], Ram: ["GiBy.h"] };
const quarters = 4;

/** Parts holds the hourly prices of a core and of a GiB of memory, by family and region, in billionths. */
export class Parts {
  readonly #nanos = new Map<string, bigint>();

  /** add stores the price of a machine part in the requested regions. */
  add(each: Sku, regions: readonly string[]): void {
    const [, family = "", kind] = part.exec(each.description) ?? [];
    if (kind !== "Core" && kind !== "Ram") return;
    if (!Object.values(sizes).some((size) => size.family === family)) return;
    const about = `${family} ${kind === "Core" ? "cores" : "memory"}`;
    for (const region of each.serviceRegions.filter((name) => regions.includes(name))) {
      const [first, more] = tiersOf(each, unitsOf[kind], `${about} in ${region}`);
      const nanos = first && !more ? nanosOf(first, `${about} in ${region}`) : null;
      if (nanos === null) throw new FeedRefused("no-price", `No single price for ${about} in ${region}.`);
      const key = `${region} ${family} ${kind}`;
      if (this.#nanos.has(key)) throw new FeedRefused("ambiguous", `More than one price for ${about} in ${region}.`);
      this.#nanos.set(key, nanos);
    }
  }

  /** machines returns the sizes whose parts both have a price. */
  machines(regions: readonly string[], read: { source: string; asOf: string }): PricePoint[] {
    return regions.flatMap((region) =>
      Object.entries(sizes).flatMap(([sku, { family, cores, gib }]): PricePoint[] => {
        const core = this.#nanos.get(`${region} ${family} Core`);
        const ram = this.#nanos.get(`${region} ${family} Ram`);
        if (core === undefined || ram === undefined) return [];
        const sum = core * BigInt(cores * quarters) + ram * BigInt(gib * quarters);
        return [
          {
            ...{ provider: "gcp", region, sku, unit: "hour", fromUnits: 0 },
            ...readAmount(spellQuarters(sum), `${sku} in ${region}`),
            ...{ currency, ...read, confidence: "fed" },
          },
        ];
      }),
    );
  }
}

/** spellQuarters formats quarters of billionths as a decimal number. */
function spellQuarters(count: bigint): string {
  const digits = 11;
  const text = String(count * 25n).padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
