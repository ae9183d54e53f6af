import { open } from "node:fs/promises";
import { asMapError, MapError } from "../errors.ts";
import { writeWhole } from "../files/write-whole.ts";
import type { AddressMap } from "../map/address-map.ts";
import { readMap } from "../map/read-map.ts";

export type Copy = { map: AddressMap; etag: string | null; confirmedAt: number };

type Limits = { mostBytes: number; mostEnds: number };

const format = "fairlead-address-map/1";

/**
 * DiskCopy keeps the last good map in a file, for a start while the control plane is away. The file is replaced whole,
 * so that a crash leaves the old one or the new one, and is for its owner alone: a map of addresses helps an attacker too.
 */
export class DiskCopy {
  readonly #file: string;
  readonly #exposureId: string;
  readonly #limits: Limits;
  #writing: Promise<void> | null = null;
  #next: Copy | null = null;

  constructor(file: string, exposureId: string, limits: Limits) {
    this.#file = file;
    this.#exposureId = exposureId;
    this.#limits = limits;
  }

  /** read answers null where there is no file, and throws where there is one that is not ours, or harmed. */
  async read(now: number): Promise<Copy | null> {
    const text = await this.#readText();
    if (text === null) return null;
    try {
      const kept = JSON.parse(text) as Partial<Record<string, unknown>> | null;
      if (kept?.format !== format) throw new MapError("malformed", "it is no map that was kept");
      const map = readMap(kept.map, this.#limits.mostEnds);
      if (map.exposureId !== this.#exposureId) throw new MapError("malformed", `it is the map of ${map.exposureId}`);
      const at = typeof kept.confirmedAt === "number" && Number.isFinite(kept.confirmedAt) ? kept.confirmedAt : 0;
      // A clock that was set back must not make it younger than new.
      return { map, etag: typeof kept.etag === "string" ? kept.etag : null, confirmedAt: Math.min(at, now) };
    } catch (cause) {
      throw new MapError("malformed", `${this.#file} is left alone: ${asMapError(cause).message}`, { cause });
    }
  }

  /** write keeps the newest of what it is given; while one is being written, those in between are left out. */
  write(copy: Copy): Promise<void> {
    this.#next = copy;
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #drain(): Promise<void> {
    for (let copy = this.#next; copy; copy = this.#next) {
      this.#next = null;
      await this.#replace(JSON.stringify({ format, ...copy }));
    }
  }

  async #replace(text: string): Promise<void> {
    try {
      await writeWhole(this.#file, text, 0o600);
    } catch (cause) {
      throw new MapError("unavailable", `The map can't be kept: ${asMapError(cause).message}`, { cause });
    }
  }

  async #readText(): Promise<string | null> {
    try {
      const handle = await open(this.#file, "r");
      try {
        const { size } = await handle.stat();
        // Kept with its names spelled out, it may be a little longer than it was served.
        if (size > this.#limits.mostBytes * 2) throw new MapError("too-large", `it has ${size} bytes`);
        return await handle.readFile("utf8");
      } finally {
        await handle.close();
      }
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
      throw new MapError("malformed", `${this.#file} is left alone: ${asMapError(cause).message}`, { cause });
    }
  }
}
