import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import type { MapError } from "../errors.ts";
import { AddressMapper } from "../mapper/address-mapper.ts";
import type { AddressMapperOptions } from "../mapper/options.ts";
import { Edge } from "./edge.ts";
import { aMap, exposureId, oneInstance } from "./maps.ts";

/** The external address of the one instance of aMap(). */
export const outside = { host: "203.0.113.5", port: 30_005 };

/** moved is a map whose one instance has another external port. */
export function moved(generation: number, port: number) {
  const ports = [{ name: null, protocol: "tcp" as const, internal: 11_222, external: port }];
  return aMap(generation, [oneInstance(5, { ports, generation })]);
}

export function portOf(mapper: AddressMapper): number | undefined {
  return mapper.map("10.0.5.5", 11_222)?.port;
}

/** Mappers creates mappers of an edge, and checks that a test leaves no mapper and no unhandled rejection behind. */
export class Mappers {
  edge!: Edge;
  folder!: string;
  #mappers: AddressMapper[] = [];
  #unhandled: unknown[] = [];

  constructor() {
    const note = (error: unknown) => this.#unhandled.push(error);
    beforeEach(async () => {
      this.#unhandled = [];
      process.on("unhandledRejection", note);
      this.folder = await mkdtemp(path.join(os.tmpdir(), "fairlead-client-"));
      this.edge = await new Edge(aMap(1)).open();
    });
    afterEach(async () => {
      await Promise.all(this.#mappers.map((each) => each.stop()));
      this.#mappers = [];
      await this.edge.close();
      await rm(this.folder, { recursive: true });
      await new Promise((resolve) => setImmediate(resolve));
      process.off("unhandledRejection", note);
      expect(this.#unhandled).toEqual([]);
    });
  }

  make(options: Partial<AddressMapperOptions> = {}): AddressMapper & { problems: MapError[] } {
    const mapper = new AddressMapper({
      ...{ url: this.edge.url, exposureId, apiKey: this.edge.key },
      // Long enough for a busy machine: a test of a timeout sets its own.
      ...{ requestTimeoutMs: 20_000, startTimeoutMs: 30_000, ...options },
    });
    this.#mappers.push(mapper);
    const problems: MapError[] = [];
    mapper.onProblem((error) => problems.push(error));
    return Object.assign(mapper, { problems });
  }

  async start(options: Partial<AddressMapperOptions> = {}) {
    const mapper = this.make(options);
    await mapper.start();
    return mapper;
  }
}
