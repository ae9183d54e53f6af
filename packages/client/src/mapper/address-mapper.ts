import { asMapError, MapError } from "../errors.ts";
import { MapSource } from "../http/map-source.ts";
import { type Endpoint, formatEndpoint, isPort } from "../map/address.ts";
import type { AddressMap, AddressMapEntry } from "../map/address-map.ts";
import { begin } from "./begin.ts";
import { DiskCopy } from "./disk-copy.ts";
import { follow } from "./follow.ts";
import { latestMaps } from "./latest-maps.ts";
import { Listeners } from "./listeners.ts";
import { type MapChange, MapKeeper } from "./map-keeper.ts";
import { type AddressMapperOptions, type CheckedOptions, checkOptions } from "./options.ts";
import { Standpoint } from "./standpoint.ts";
import { type MapperStats, metricsPage } from "./stats.ts";

/** An address that is unknown causes a read at most this often. */
const askAgainMs = 1_000;
const keepAgainMs = 60_000;

/** From start() to stop(). */
type Run = { stop: AbortController; started: Promise<void>; following: Promise<void> };

/**
 * AddressMapper tells which external address leads to which instance. It follows the control plane in the background and
 * answers out of memory; while the control plane is away, with the last good map, whose age it shows.
 */
export class AddressMapper {
  readonly exposureId: string;
  readonly #options: CheckedOptions;
  readonly #keeper: MapKeeper;
  readonly #source: MapSource;
  readonly #standpoint: Standpoint;
  readonly #copy: DiskCopy | null;
  readonly #changed = new Listeners<MapChange>((error) => this.#tell(error));
  readonly #problems = new Listeners<MapError>();
  #run: Run | null = null;
  #learning: Promise<void> = Promise.resolve();
  #keeping: Promise<void> = Promise.resolve();
  #keptAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AddressMapperOptions) {
    const checked = checkOptions(options);
    const { url, exposureId, headersOf, ca, requestTimeoutMs, mostBytes, mostEnds, namesOf } = checked;
    this.#options = checked;
    this.exposureId = exposureId;
    const now = () => Date.now();
    this.#source = new MapSource({ url, exposureId, headersOf, ca, requestTimeoutMs, mostBytes, mostEnds, now });
    this.#standpoint = new Standpoint({ ...checked, now });
    this.#copy = checked.cacheFile ? new DiskCopy(checked.cacheFile, exposureId, { mostBytes, mostEnds }) : null;
    const events = {
      onChange: (change: MapChange) => {
        this.#learning = this.#standpoint.learn(change.map);
        this.#changed.tell(change);
      },
      onConfirmed: (held: { map: AddressMap; etag: string | null }, isNew: boolean) => this.#keep(held, isNew),
    };
    this.#keeper = new MapKeeper(this.#source, events, namesOf, now);
  }

  /**
   * start reads the map and follows it from then on. It fails where there is none in time, or the control plane refuses;
   * where it is only away, the copy on disk does.
   */
  start(): Promise<void> {
    if (this.#run) return this.#run.started;
    const stop = new AbortController();
    const run: Run = { stop, started: this.#begin(stop.signal), following: Promise.resolve() };
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

  /** stop ends what runs in the background. The map that it has stays, and ages. */
  async stop(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    run?.stop.abort();
    await run?.following;
    await this.#keeping;
    this.#source.close();
  }

  /**
   * map answers from memory where to dial for an internal address: the external one, with the server name to ask for there
   * by TLS where instances share it; the address itself if it is external
   * already or needs no mapping; for one that is not known what `onUnknown` says.
   */
  map(host: string, port: number, protocol = "tcp"): Endpoint | null {
    const found = this.#find(host, port, protocol);
    if (found) return found;
    if (this.#options.onUnknown === "pass") return { host, port };
    if (this.#options.onUnknown === "refresh") this.#askSoon();
    return null;
  }

  /** resolve is map(), but asks the control plane first where the address isn't known. */
  async resolve(host: string, port: number, protocol = "tcp"): Promise<Endpoint | null> {
    const found = this.#find(host, port, protocol);
    if (found) return found;
    if (this.#run && this.#mayAsk()) {
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

  /** mapOrThrow is for those who can't go on without an endpoint. */
  mapOrThrow(host: string, port: number, protocol = "tcp"): Endpoint {
    const found = this.map(host, port, protocol);
    if (found) return found;
    throw new MapError("unknown-address", `${formatEndpoint({ host, port })} has no external address in the map.`);
  }

  /** reverse answers which internal address is behind an external one; where instances share one, behind a server name. */
  reverse(host: string, port: number, protocol = "tcp"): Endpoint | null {
    return this.#keeper.index?.internal(host, port, protocol) ?? null;
  }

  entries(): readonly AddressMapEntry[] {
    return this.#keeper.map?.entries ?? [];
  }

  /** The map in use, and since when the control plane has not confirmed it. */
  get current(): { map: AddressMap; ageMs: number; source: "server" | "disk" } | null {
    const { map, ageMs, from } = this.#keeper;
    return map && ageMs !== null && from ? { map, ageMs, source: from } : null;
  }

  /** refresh reads the map now. Whoever asks meanwhile gets the same answer. */
  async refresh(): Promise<AddressMap> {
    const run = this.#started();
    this.#askedAt = performance.now();
    await this.#keeper.readWhole(run.stop.signal, true);
    const { map } = this.#keeper;
    if (!map) throw new MapError("unavailable", "There is no map yet.");
    return map;
  }

  /** changes gives the map as it is and then each newer one; who is slow gets the newest, not all. It ends with stop(). */
  changes(signal?: AbortSignal): AsyncGenerator<AddressMap, void> {
    const run = this.#started();
    const ends = signal ? [run.stop.signal, signal] : [run.stop.signal];
    return latestMaps(
      () => this.#keeper.map,
      (wake) => this.#changed.add(wake),
      ends,
    );
  }

  /** onChange tells of each map that differs; the function that it answers ends it. */
  onChange(listener: (change: MapChange) => void): () => void {
    return this.#changed.add(listener);
  }

  /** onProblem tells what goes wrong in the background. Nothing has to be done about it: the mapper tries again. */
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

  /** metrics is what stats() says as Prometheus reads it. For several mappers in one page there is metricsPage(). */
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
      return this.#standpoint.needsMapping(host, port);
    } catch (error) {
      this.#tell(error);
      return true;
    }
  }

  async #begin(signal: AbortSignal): Promise<void> {
    if (this.#copy && !this.#keeper.map) await this.#restore(this.#copy);
    const { startTimeoutMs: timeoutMs, url } = this.#options;
    await begin({
      read: () => this.#keeper.readWhole(signal, true),
      hasMap: () => this.#keeper.map !== null,
      onProblem: (error) => this.#tell(error),
      name: url.origin,
      ...{ timeoutMs, random: Math.random, signal },
    });
    await this.#learning;
  }

  #follow(signal: AbortSignal): Promise<void> {
    const isRef = !this.#options.unref;
    return follow({
      readWhole: () => this.#keeper.readWhole(signal, isRef),
      waitForNext: (seconds) => this.#keeper.waitForNext(seconds, signal, isRef),
      isInDoubt: () => this.#keeper.isInDoubt,
      onProblem: (error) => this.#tell(error),
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

  #mayAsk(): boolean {
    return this.#keeper.isReading || performance.now() - this.#askedAt >= askAgainMs;
  }

  #askSoon(): void {
    if (!this.#run || !this.#mayAsk()) return;
    this.refresh().catch((error: unknown) => this.#tell(error));
  }

  async #restore(from: DiskCopy): Promise<void> {
    try {
      const copy = await from.read(Date.now());
      if (copy) this.#keeper.restore(copy.map, copy.etag, copy.confirmedAt);
    } catch (error) {
      this.#tell(error);
    }
  }

  #keep({ map, etag }: { map: AddressMap; etag: string | null }, isNew: boolean): void {
    if (!this.#copy || (!isNew && performance.now() - this.#keptAt < keepAgainMs)) return;
    this.#keptAt = performance.now();
    this.#keeping = this.#copy
      .write({ map, etag, confirmedAt: Date.now() })
      .catch((error: unknown) => this.#tell(error));
  }

  #tell(error: unknown): void {
    const known = asMapError(error);
    if (known.kind !== "stopped") this.#problems.tell(known);
  }
}
