import type { ObservedInstance, Protocol } from "@fairlead/domain/exposure";
import { Faults } from "./faults.ts";

/** FakeBalancer is a load balancer in the fake world: the requested fields, and the assigned address. */
export type FakeBalancer = {
  id: string;
  name: string;
  kind: string;
  instance: string | null;
  ports: { port: number; targetPort: number; protocol: Protocol }[];
  replicas: { id: string; nodeId: string | null }[];
  address: string | null;
};

/** World is an outside system from a driver's view: small operations, each of which may fail separately. */
export interface World {
  enter(exposureId: string, who: string, signal: AbortSignal): Promise<void>;
  leave(exposureId: string, who: string): Promise<void>;
  list(exposureId: string, signal: AbortSignal): Promise<FakeBalancer[]>;
  instances(exposureId: string, signal: AbortSignal): Promise<ObservedInstance[]>;
  create(exposureId: string, balancer: FakeBalancer, signal: AbortSignal): Promise<void>;
  update(exposureId: string, balancer: FakeBalancer, signal: AbortSignal): Promise<void>;
  remove(exposureId: string, balancerId: string, signal: AbortSignal): Promise<void>;
}

export type JournalEntry = { who: string; operation: "create" | "update" | "remove"; exposureId: string; id: string };

/** MemoryWorld is such a system in memory. It records all operations, and counts concurrent drivers of one exposure. */
export class MemoryWorld implements World {
  readonly faults = new Faults();
  readonly journal: JournalEntry[] = [];
  /** How often two reconciliations of one exposure overlapped. */
  overlaps = 0;
  readonly #balancers = new Map<string, Map<string, FakeBalancer>>();
  readonly #instances = new Map<string, ObservedInstance[]>();
  readonly #inside = new Map<string, string[]>();
  #addresses = 0;

  async enter(exposureId: string, who: string, signal: AbortSignal): Promise<void> {
    const inside = this.#inside.get(exposureId) ?? [];
    if (inside.length > 0) this.overlaps++;
    this.#inside.set(exposureId, [...inside, who]);
    await this.faults.meet("enter", exposureId, signal);
  }

  async leave(exposureId: string, who: string): Promise<void> {
    const inside = this.#inside.get(exposureId) ?? [];
    const at = inside.lastIndexOf(who);
    this.#inside.set(
      exposureId,
      inside.filter((_, i) => i !== at),
    );
  }

  async list(exposureId: string, signal: AbortSignal): Promise<FakeBalancer[]> {
    await this.faults.meet("list", exposureId, signal);
    return structuredClone(this.balancersOf(exposureId));
  }

  async instances(exposureId: string, signal: AbortSignal): Promise<ObservedInstance[]> {
    await this.faults.meet("instances", exposureId, signal);
    return structuredClone(this.#instances.get(exposureId) ?? []);
  }

  async create(exposureId: string, balancer: FakeBalancer, signal: AbortSignal): Promise<void> {
    await this.faults.meet("create", exposureId, signal);
    const held = this.#balancers.get(exposureId) ?? new Map<string, FakeBalancer>();
    if (held.has(balancer.id)) throw new Error(`${balancer.id} exists already`);
    // Like a cloud, it assigns the next address if none is given, so a second creation would be noticed.
    const address = balancer.address ?? `203.0.113.${++this.#addresses}`;
    this.#balancers.set(exposureId, held.set(balancer.id, { ...structuredClone(balancer), address }));
    this.#record("create", exposureId, balancer.id);
    await this.faults.meet("created", exposureId, signal);
  }

  async update(exposureId: string, balancer: FakeBalancer, signal: AbortSignal): Promise<void> {
    await this.faults.meet("update", exposureId, signal);
    const held = this.#balancers.get(exposureId)?.get(balancer.id);
    if (!held) throw new Error(`${balancer.id} does not exist`);
    const address = balancer.address ?? held.address;
    this.#balancers.get(exposureId)?.set(balancer.id, { ...structuredClone(balancer), address });
    this.#record("update", exposureId, balancer.id);
  }

  async remove(exposureId: string, balancerId: string, signal: AbortSignal): Promise<void> {
    await this.faults.meet("remove", exposureId, signal);
    if (!this.#balancers.get(exposureId)?.delete(balancerId)) throw new Error(`${balancerId} does not exist`);
    this.#record("remove", exposureId, balancerId);
  }

  // For tests: the actual state, and manual changes.

  balancersOf(exposureId: string): FakeBalancer[] {
    return [...(this.#balancers.get(exposureId)?.values() ?? [])].sort((a, b) => a.id.localeCompare(b.id));
  }

  /** damage deletes one balancer and changes the others, like an operator's mistake. */
  damage(exposureId: string): void {
    const held = this.#balancers.get(exposureId);
    for (const [i, balancer] of this.balancersOf(exposureId).entries())
      if (i === 0) held?.delete(balancer.id);
      else held?.set(balancer.id, { ...balancer, ports: [] });
  }

  setInstances(exposureId: string, instances: ObservedInstance[]): void {
    this.#instances.set(exposureId, instances);
  }

  #record(operation: JournalEntry["operation"], exposureId: string, id: string): void {
    this.journal.push({ who: this.#inside.get(exposureId)?.at(-1) ?? "", operation, exposureId, id });
  }
}
