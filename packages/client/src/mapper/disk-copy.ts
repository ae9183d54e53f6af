import { open } from "node:fs/promises";
import { asMapError, MapError } from "../errors.ts";
import { writeAtomically } from "../files/write-atomically.ts";
import type { AddressMap } from "../map/address-map.ts";
import { readMap } from "../map/read-map.ts";

export type Copy = { map: AddressMap; etag: string | null; confirmedAt: number };

type Limits = { maxBytes: number; maxEnds: number };

const format = "fairlead-address-map/1";

/**
 * DiskCopy keeps the last good map in a file, for a start while the control plane is unreachable. The file is replaced
 * atomically, so that a crash leaves the old one or the new one. Only its owner can read it: the map would help an attacker.
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

  /** read returns null if there is no file, and throws if the file is damaged or isn't a copy of this map. */
  async read(now: number): Promise<Copy | null> {
    const text = await this.#readText();
    if (text === null) return null;
    try {
      const kept = JSON.parse(text) as Partial<Record<string, unknown>> | null;
      if (kept?.format !== format) throw new MapError("malformed", "it is not a saved map");
      const map = readMap(kept.map, this.#limits.maxEnds);
      if (map.exposureId !== this.#exposureId) throw new MapError("malformed", `it is the map of ${map.exposureId}`);
      const at = typeof kept.confirmedAt === "number" && Number.isFinite(kept.confirmedAt) ? kept.confirmedAt : 0;
      // If the clock was set back, the age must not become negative.
      return { map, etag: typeof kept.etag === "string" ? kept.etag : null, confirmedAt: Math.min(at, now) };
    } catch (cause) {
      throw new MapError("malformed", `${this.#file} is ignored: ${asMapError(cause).message}`, { cause });
    }
  }

  /** write saves the newest copy; copies that arrive while a write is in progress replace each other. */
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
      await writeAtomically(this.#file, text, 0o600);
    } catch (cause) {
      throw new MapError("unavailable", `The map can't be saved: ${asMapError(cause).message}`, { cause });
    }
  }

  async #readText(): Promise<string | null> {
    try {
      const handle = await open(this.#file, "r");
      try {
        const { size } = await handle.stat();
        // The saved copy may be a little longer than the served map.
        if (size > this.#limits.maxBytes * 2) throw new MapError("too-large", `it has ${size} bytes`);
        return await handle.readFile("utf8");
      } finally {
        await handle.close();
      }
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
      throw new MapError("malformed", `${this.#file} is ignored: ${asMapError(cause).message}`, { cause });
    }
  }
}
