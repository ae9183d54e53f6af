import { asMapError, MapError } from "../errors.ts";
import { MapSource } from "../http/map-source.ts";
import { type Endpoint, formatEndpoint, isPort } from "../map/address.ts";
import type { AddressMap, AddressMapEntry } from "../map/address-map.ts";
import { DiskCopy } from "./disk-copy.ts";
import { follow } from "./follow.ts";
import { latestMaps } from "./latest-maps.ts";
import { Listeners } from "./listeners.ts";
import { type MapChange, MapKeeper } from "./map-keeper.ts";
import { NetworkLocation } from "./network-location.ts";
import { type AddressMapperOptions, type CheckedOptions, checkOptions } from "./options.ts";
import { readFirstMap } from "./read-first-map.ts";
import { type MapperStats, metricsPage } from "./stats.ts";

/** Minimum interval of the reads that unknown addresses cause. */
const unknownReadIntervalMs = 1_000;
const diskWriteIntervalMs = 60_000;

/** From start() to stop(). */
type Run = { stop: AbortController; started: Promise<void>; following: Promise<void> };

/**
 * AddressMapper maps internal addresses of instances to external ones. It follows the control plane in the background and
 * looks up addresses in memory. While the control plane is unreachable it uses the last good map, whose age it shows.
 */
export class AddressMapper {
  readonly exposureId: string;
  readonly #options: CheckedOptions;
  readonly #keeper: MapKeeper;
  readonly #source: MapSource;
  readonly #location: NetworkLocation;
  readonly #copy: DiskCopy | null;
  readonly #changed = new Listeners<MapChange>((error) => this.#report(error));
  readonly #problems = new Listeners<MapError>();
  #run: Run | null = null;
  #probing: Promise<void> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();
  #savedAt = Number.NEGATIVE_INFINITY;
  #refreshedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AddressMapperOptions) {
    const checked = checkOptions(options);
    const { url, exposureId, headersOf, ca, requestTimeoutMs, maxBytes, maxEnds, namesOf } = checked;
    this.#options = checked;
    this.exposureId = exposureId;
    const now = () => Date.now();
    this.#source = new MapSource({ url, exposureId, headersOf, ca, requestTimeoutMs, maxBytes, maxEnds, now });
    this.#location = new NetworkLocation({ ...checked, now });
    this.#copy = checked.cacheFile ? new DiskCopy(checked.cacheFile, exposureId, { maxBytes, maxEnds }) : null;
    const events = {
      onChange: (change: MapChange) => {
        this.#probing = this.#location.probe(change.map);
        this.#changed.emit(change);
      },
      onConfirmed: (held: { map: AddressMap; etag: string | null }, isNew: boolean) => this.#save(held, isNew),
    };
    this.#keeper = new MapKeeper(this.#source, events, namesOf, now);
  }

  /**
   * start reads the map and follows it from then on. It fails if the control plane refuses, or if there is no map in time.
   * If the control plane is unreachable, the copy on disk is used.
   */
  start(): Promise<void> {
    if (this.#run) return this.#run.started;
    const stop = new AbortController();
    const run: Run = { stop, started: this.#readFirst(stop.signal), following: Promise.resolve() };
    this.#run = run;
    run.following = run.started.then(
      () => this.#follow(stop.signal),
      () => {
        stop.abort();
        if (this.#run === run) this.#run = null;
      },
    );
    return run.started;
  }

  /** stop ends the background work. The current map stays, and ages. */
  async stop(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    run?.stop.abort();
    await run?.following;
    await this.#saving;
    this.#source.close();
  }

  /**
   * map looks up the endpoint to dial for an internal address, in memory. It returns the external endpoint, with the TLS
   * server name (SNI) if instances share the address. An address that is external or needs no mapping is returned
   * unchanged. For an unknown address `onUnknown` applies.
   */
  map(host: string, port: number, protocol = "tcp"): Endpoint | null {
    const found = this.#find(host, port, protocol);
    if (found) return found;
    if (this.#options.onUnknown === "pass") return { host, port };
    if (this.#options.onUnknown === "refresh") this.#refreshSoon();
    return null;
  }

  /** resolve is map(), but queries the control plane first if the address is unknown. */
  async resolve(host: string, port: number, protocol = "tcp"): Promise<Endpoint | null> {
    const found = this.#find(host, port, protocol);
    if (found) return found;
    if (this.#run && this.#mayRefresh()) {
      try {
        await this.refresh();
      } catch (error) {
        if (!this.#keeper.map) throw error;
      }
      const now = this.#find(host, port, protocol);
      if (now) return now;
    }
    return this.#options.onUnknown === "pass" ? { host, port } : null;
  }

  /** mapOrThrow is map(), but throws instead of returning null. */
  mapOrThrow(host: string, port: number, protocol = "tcp"): Endpoint {
    const found = this.map(host, port, protocol);
    if (found) return found;
    throw new MapError("unknown-address", `${formatEndpoint({ host, port })} has no external address in the map.`);
  }

  /** reverse returns the internal address behind an external one, or behind a server name if instances share an address. */
  reverse(host: string, port: number, protocol = "tcp"): Endpoint | null {
    return this.#keeper.index?.internal(host, port, protocol) ?? null;
  }

  entries(): readonly AddressMapEntry[] {
    return this.#keeper.map?.entries ?? [];
  }

  /** The current map, the time since the control plane confirmed it, and its source. */
  get current(): { map: AddressMap; ageMs: number; source: "server" | "disk" } | null {
    const { map, ageMs, from } = this.#keeper;
    return map && ageMs !== null && from ? { map, ageMs, source: from } : null;
  }

  /** refresh reads the map now. Concurrent calls share one request. */
  async refresh(): Promise<AddressMap> {
    const run = this.#started();
    this.#refreshedAt = performance.now();
    await this.#keeper.readWhole(run.stop.signal, true);
    const { map } = this.#keeper;
    if (!map) throw new MapError("unavailable", "There is no map yet.");
    return map;
  }

  /** changes yields the current map and then each newer one; a slow consumer gets only the newest. It ends with stop(). */
  changes(signal?: AbortSignal): AsyncGenerator<AddressMap, void> {
    const run = this.#started();
    const ends = signal ? [run.stop.signal, signal] : [run.stop.signal];
    return latestMaps(
      () => this.#keeper.map,
      (wake) => this.#changed.add(wake),
      ends,
    );
  }

  /** onChange calls the listener for each map that differs. The returned function removes the listener. */
  onChange(listener: (change: MapChange) => void): () => void {
    return this.#changed.add(listener);
  }

  /** onProblem reports errors of the background work. No action is needed: the mapper retries. */
  onProblem(listener: (error: MapError) => void): () => void {
    return this.#problems.add(listener);
  }

  stats(): MapperStats {
    const { counts, map, ageMs, from } = this.#keeper;
    const { lookups, refreshes, changes, restores } = counts;
    return {
      lookups: { ...lookups },
      refreshes: { ...refreshes },
      ...{ changes, restores, ageMs, source: from },
      generation: map?.generation ?? null,
      entries: map?.entries.length ?? 0,
    };
  }

  /** metrics returns the statistics in the Prometheus text format. For several mappers on one page use metricsPage(). */
  metrics(): string {
    return metricsPage([this]);
  }

  #find(host: string, port: number, protocol: string): Endpoint | null {
    const { lookups } = this.#keeper.counts;
    if (!this.#needsMapping(host, port)) {
      lookups.bypassed++;
      return { host, port };
    }
    const { ageMs } = this.#keeper;
    const index = ageMs !== null && ageMs <= this.#options.maxAgeMs ? this.#keeper.index : null;
    const external = isPort(port) ? index?.external(host, port, protocol) : undefined;
    const found = external ?? (index?.isExternal(host, port, protocol) ? { host, port } : null);
    lookups[found ? "hit" : external === null ? "pending" : "unknown"]++;
    return found;
  }

  #needsMapping(host: string, port: number): boolean {
    try {
      return this.#location.needsMapping(host, port);
    } catch (error) {
      this.#report(error);
      return true;
    }
  }

  async #readFirst(signal: AbortSignal): Promise<void> {
    if (this.#copy && !this.#keeper.map) await this.#restore(this.#copy);
    const { startTimeoutMs: timeoutMs, url } = this.#options;
    await readFirstMap({
      read: () => this.#keeper.readWhole(signal, true),
      hasMap: () => this.#keeper.map !== null,
      onProblem: (error) => this.#report(error),
      name: url.origin,
      ...{ timeoutMs, random: Math.random, signal },
    });
    await this.#probing;
  }

  #follow(signal: AbortSignal): Promise<void> {
    const isRef = !this.#options.unref;
    return follow({
      readWhole: () => this.#keeper.readWhole(signal, isRef),
      waitForNext: (seconds) => this.#keeper.waitForNext(seconds, signal, isRef),
      isInDoubt: () => this.#keeper.isInDoubt,
      onProblem: (error) => this.#report(error),
      waitSeconds: this.#options.waitSeconds,
      random: Math.random,
      isRef,
      signal,
    });
  }

  #started(): Run {
    if (this.#run) return this.#run;
    throw new MapError("stopped", "The mapper is not started: call start() first.");
  }

  #mayRefresh(): boolean {
    return this.#keeper.isReading || performance.now() - this.#refreshedAt >= unknownReadIntervalMs;
  }

  #refreshSoon(): void {
    if (!this.#run || !this.#mayRefresh()) return;
    this.refresh().catch((error: unknown) => this.#report(error));
  }

  async #restore(from: DiskCopy): Promise<void> {
    try {
      const copy = await from.read(Date.now());
      if (copy) this.#keeper.restore(copy.map, copy.etag, copy.confirmedAt);
    } catch (error) {
      this.#report(error);
    }
  }

  #save({ map, etag }: { map: AddressMap; etag: string | null }, isNew: boolean): void {
    if (!this.#copy || (!isNew && performance.now() - this.#savedAt < diskWriteIntervalMs)) return;
    this.#savedAt = performance.now();
    this.#saving = this.#copy
      .write({ map, etag, confirmedAt: Date.now() })
      .catch((error: unknown) => this.#report(error));
  }

  #report(error: unknown): void {
    const known = asMapError(error);
    if (known.kind !== "stopped") this.#problems.emit(known);
  }
}
