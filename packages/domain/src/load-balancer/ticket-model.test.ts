import { expect, it } from "vitest";
import { ticketKeysOf } from "./ticket-keys-of.ts";
import { setTicketMembers } from "./ticket-members.ts";
import {
  acknowledge,
  currentEpoch,
  laggingMembers,
  newTicketRotation,
  startTicketRotation,
  stepTicketRotation,
  type TicketMember,
  type TicketPhase,
  type TicketRotation,
} from "./ticket-rotation.ts";

const lifetime = 24 * 3_600_000;
const none = { revision: 0, epoch: 0 };
const all = ["server a", "server b", "server c", "replica r", "replica s"];
const idOf = (member: string): Pick<TicketMember, "kind" | "id"> => {
  const [kind, id = ""] = member.split(" ");
  return { kind: kind === "server" ? "server" : "replica", id };
};
const serversOf = ({ members }: TicketRotation) =>
  members.filter((each) => each.kind === "server").map((each) => each.id);

type Key = string;
type Ticket = { key: Key; epoch: number; server: string; at: number };

/**
 * World is a rotation with its members, any of which can be slow, restarted with former keys, or removed for some time, and
 * a controller that can crash between any two steps.
 */
class World {
  saved: TicketRotation;
  memory: TicketRotation;
  now = Date.UTC(2026, 0, 1);
  /** What servers have applied, the own key first; and, for replicas, the server of each name. */
  readonly servers = new Map<string, Key[]>();
  readonly former = new Map<string, { keys: Key[]; revision: number }>();
  readonly replicas = new Map<string, Set<Key>>();
  readonly applied = new Map<string, number>();
  readonly removed = new Set<string>();
  /** The revision that added a member. */
  readonly added = new Map<string, number>();
  /** Epochs before it were dropped while the server was removed. */
  readonly outdated = new Map<string, number>();
  tickets: Ticket[] = [];
  /** How often the lifetime began again, and how often a server started with its former keys. */
  restarts = 0;
  started = 0;

  constructor() {
    this.memory = newTicketRotation(none, lifetime, this.date());
    this.saved = this.memory;
    this.setMembers();
    this.save();
    for (const each of all) this.apply(each);
  }

  date = () => new Date(this.now);

  setMembers(): void {
    const present = all.filter((each) => !this.removed.has(each)).map(idOf);
    const before = new Set(this.memory.members.map((each) => `${each.kind} ${each.id}`));
    const of = (kind: string) => present.filter((each) => each.kind === kind).map((each) => each.id);
    this.enter(setTicketMembers(this.memory, { servers: of("server"), replicas: of("replica") }, this.date()));
    for (const { kind, id } of this.memory.members)
      if (!before.has(`${kind} ${id}`)) this.added.set(`${kind} ${id}`, this.memory.revision);
  }

  enter(next: TicketRotation): void {
    if (this.memory.phase === "retiring" && next.phase === "switching") this.restarts++;
    if (this.memory.phase === "retiring" && next.phase === "idle")
      for (const each of this.removed) this.outdated.set(idOf(each).id, currentEpoch(next));
    this.memory = next;
  }

  save(): void {
    this.saved = structuredClone(this.memory);
  }

  /** crash loses what wasn't saved. Then the controller sets the members that there are now. */
  crash(): void {
    this.memory = structuredClone(this.saved);
    const kept = new Set(this.memory.members.map((each) => `${each.kind} ${each.id}`));
    for (const [member, revision] of this.added)
      if (kept.has(member)) this.added.set(member, Math.min(revision, this.memory.revision));
    this.setMembers();
  }

  apply(member: string): void {
    const { kind, id } = idOf(member);
    if (!this.saved.members.some((each) => each.kind === kind && each.id === id)) return;
    const servers = serversOf(this.saved);
    const before = this.servers.get(id);
    if (kind === "server") {
      if (before) this.former.set(id, { keys: before, revision: this.applied.get(member) ?? 0 });
      this.servers.set(
        id,
        ticketKeysOf(id, servers, this.saved.epochs).map((each) => `${each.server} ${each.epoch}`),
      );
    } else
      this.replicas.set(id, new Set(this.saved.epochs.flatMap((epoch) => servers.map((each) => `${each} ${epoch}`))));
    this.applied.set(member, this.saved.revision);
  }

  /** report acknowledges what a member has applied, with what a probe sees of a server now. */
  report(member: string): void {
    const { kind, id } = idOf(member);
    const own = this.servers.get(id)?.[0];
    const encrypts = kind === "server" && own ? { epoch: epochOf(own), seen: this.date() } : null;
    this.enter(acknowledge(this.memory, { kind, id, revision: this.applied.get(member) ?? 0, encrypts }, this.date()));
  }

  /** sees reports whether a member has applied keys since it and the other one were added. */
  sees(member: string, other: string): boolean {
    const since = Math.max(this.added.get(member) ?? 0, this.added.get(other) ?? 0);
    return !this.removed.has(member) && (this.applied.get(member) ?? 0) >= since;
  }

  /**
   * check verifies what clients rely on: each new ticket leads to its server at all replicas, and each server accepts it; and
   * no server rejects one of its own before its lifetime has passed.
   */
  check(step: string): void {
    for (const [id, keys] of this.servers) {
      const [own = ""] = keys;
      this.tickets.push({ key: own, epoch: epochOf(own), server: id, at: this.now });
      if (!this.sees(`server ${id}`, `server ${id}`)) continue;
      for (const [other, accepted] of this.servers)
        if (this.sees(`server ${other}`, `server ${id}`) && !accepted.includes(own))
          throw new Error(`${step}: server ${other} rejects new tickets of ${id}`);
      for (const [replica, names] of this.replicas)
        if (this.sees(`replica ${replica}`, `server ${id}`) && !names.has(own))
          throw new Error(`${step}: replica ${replica} doesn't recognize new tickets of ${id}`);
    }
    this.tickets = this.tickets.filter(
      ({ at, epoch, server }) => this.now - at < lifetime && epoch >= (this.outdated.get(server) ?? 0),
    );
    for (const { key, server, at } of this.tickets)
      if (!this.servers.get(server)?.includes(key))
        throw new Error(`${step}: server ${server} rejects a ticket of its own after ${this.now - at} ms`);
  }

  /** restart starts a server with the keys that it had before its newest ones, until its agent writes these again. */
  restart(id: string): boolean {
    const former = this.former.get(id);
    const member = `server ${id}`;
    if (!former || this.removed.has(member)) return false;
    // It was not acknowledged to be without the epoch that it starts with again.
    const [own = ""] = former.keys;
    if (!this.memory.epochs.includes(epochOf(own)) || !this.saved.epochs.includes(epochOf(own))) return false;
    if (former.revision < (this.added.get(member) ?? 0)) return false;
    const lost = (this.servers.get(id) ?? []).filter((key) => !former.keys.includes(key));
    if (lost.length > 0) return false; // it can't read tickets that it gave meanwhile, whatever the control plane does
    this.servers.set(id, former.keys);
    this.applied.set(member, former.revision);
    this.started++;
    return true;
  }
}

const epochOf = (key: Key): number => Number(key.split(" ")[1]);

/** A generator whose sequence is the same in every run (Lehmer). */
function random(seed: number): (below: number) => number {
  let state = seed * 7_919;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** step does one thing that can happen at any time. */
function step(world: World, next: (below: number) => number): string {
  const member = all[next(all.length)] ?? "";
  const what = next(10);
  if (what < 2) world.apply(member);
  else if (what < 4) world.report(member);
  else if (what < 6) world.save();
  else if (what === 6) world.crash();
  else if (what === 7 && next(3) === 0) {
    if (!world.removed.delete(member)) world.removed.add(member);
    world.setMembers();
  } else if (what === 8 && next(4) === 0 && member.startsWith("server")) {
    if (!world.restart(idOf(member).id)) return "nothing";
  } else {
    world.now += next(lifetime / 4);
    world.enter(stepTicketRotation(world.memory, world.date()));
  }
  return `${member} ${what}`;
}

it("loses no ticket wherever a rotation is interrupted", () => {
  const phases: Record<TicketPhase, number> = { idle: 0, adding: 0, switching: 0, retiring: 0 };
  let restarts = 0;
  let started = 0;
  for (let seed = 1; seed <= 16; seed++) {
    const world = new World();
    const next = random(seed);
    let rotations = 0;
    for (let at = 0; at < 2_000; at++) {
      if (world.memory.phase === "idle" && laggingMembers(world.memory).length === 0) {
        world.memory = startTicketRotation(world.memory, currentEpoch(world.memory) + 1, world.date());
        rotations++;
      }
      const what = step(world, next);
      phases[world.saved.phase]++;
      world.check(`seed ${seed}, step ${at}, ${what}, ${world.memory.phase}`);
    }
    restarts += world.restarts;
    started += world.started;
    expect(rotations, `seed ${seed}`).toBeGreaterThan(1);
  }
  expect(restarts).toBeGreaterThan(10);
  expect(started).toBeGreaterThan(100);
  for (const [phase, count] of Object.entries(phases)) expect(count, phase).toBeGreaterThan(100);
});

it.each([false, true])("continues after a crash at each step, saved before: %s", (isSaved) => {
  const world = new World();
  for (const each of all) world.report(each);
  world.memory = startTicketRotation(world.memory, 2, world.date());
  world.save();
  const interrupt = (what: string) => {
    if (isSaved) world.save();
    world.crash();
    world.check(what);
  };
  const seen = new Set<TicketPhase>();
  for (let round = 0; round < 10; round++) {
    seen.add(world.memory.phase);
    for (const each of all) {
      world.apply(each);
      interrupt("applied");
      world.report(each);
      interrupt("acknowledged");
      if (!isSaved) {
        world.report(each); // what was lost is repeated
        world.save();
      }
    }
    world.now += lifetime / 2;
    world.enter(stepTicketRotation(world.memory, world.date()));
    interrupt("time passes");
    world.enter(stepTicketRotation(world.memory, world.date()));
    world.save();
  }
  expect([...seen].sort()).toEqual(["adding", "idle", "retiring", "switching"]);
  expect(world.memory).toMatchObject({ phase: "idle", epochs: [2] });
  expect(laggingMembers(world.memory)).toEqual([]);
});
