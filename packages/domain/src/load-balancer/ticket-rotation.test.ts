import { describe, expect, it } from "vitest";
import { mostTicketsAway, setTicketMembers } from "./ticket-members.ts";
import {
  acknowledge,
  currentEpoch,
  laggingMembers,
  newTicketRotation,
  setTicketLifetime,
  startTicketRotation,
  stepTicketRotation,
  type TicketMember,
  type TicketRotation,
} from "./ticket-rotation.ts";

const lifetime = 24 * 3_600_000;
const none = { revision: 0, epoch: 0 };
const begin = new Date("2026-11-30T00:00:00Z");
const after = (ms: number) => new Date(begin.getTime() + ms);
const [a, b, replica] = [
  { kind: "server", id: "a" },
  { kind: "server", id: "b" },
  { kind: "replica", id: "r" },
] as const;
const both = { servers: ["a", "b"], replicas: ["r"] };
const one = { servers: ["a"], replicas: ["r"] };

type Id = Pick<TicketMember, "kind" | "id">;
const ids = (members: readonly TicketMember[]) => members.map(({ kind, id }) => ({ kind, id }));
const ack = (rotation: TicketRotation, member: Id, now = begin, revision = rotation.revision) =>
  acknowledge(rotation, { ...member, revision, encrypts: null }, now);
const ackAll = (rotation: TicketRotation, now = begin) =>
  laggingMembers(rotation).reduce((next, each) => ack(next, each, now, rotation.revision), rotation);
const idle = () => ackAll(setTicketMembers(newTicketRotation(none, lifetime, begin), both, begin));
const adding = () => startTicketRotation(idle(), 2, begin);
const switching = () => ackAll(adding());
const retiring = () => ackAll(switching());

it("has three phases, each of which all servers acknowledge", () => {
  let rotation = adding();
  expect(rotation).toMatchObject({ phase: "adding", epochs: [1, 2] });
  rotation = ackAll(rotation);
  expect(rotation).toMatchObject({ phase: "switching", epochs: [2, 1] });
  rotation = ackAll(rotation, after(3_600_000));
  expect(rotation).toMatchObject({ phase: "retiring", epochs: [2, 1], dropAt: after(3_600_000 + lifetime) });
  expect(stepTicketRotation(rotation, after(3_600_000 + lifetime - 1))).toBe(rotation);
  rotation = stepTicketRotation(rotation, after(3_600_000 + lifetime));
  expect(rotation).toMatchObject({ phase: "idle", epochs: [2], dropAt: null });
  expect(ids(laggingMembers(rotation))).toEqual([a, b, replica]);
  expect(laggingMembers(ackAll(rotation))).toEqual([]);
});

describe("a phase waits for each member and names it", () => {
  it.each<[string, () => TicketRotation, Id[], Id[]]>([
    ["adding, one server lags", adding, [a, replica], [b]],
    ["adding, the replica lags", adding, [a, b], [replica]],
    ["switching, one server lags", switching, [b, replica], [a]],
  ])("%s", (_, from, acks, want) => {
    const before = from();
    const rotation = acks.reduce((next, each) => ack(next, each), before);
    expect(rotation.phase).toBe(before.phase);
    expect(ids(laggingMembers(rotation))).toEqual(want);
    expect(laggingMembers(rotation)[0]?.outdatedSince).toEqual(begin);
  });

  it("except for replicas while servers switch, as they have the names", () => {
    expect(ack(ack(switching(), a), b).phase).toBe("retiring");
  });
});

it("has no revision or epoch that its exposure had before", () => {
  expect(newTicketRotation(none, lifetime, begin)).toMatchObject({ revision: 1, epochs: [1] });
  expect(newTicketRotation({ revision: 7, epoch: 3 }, lifetime, begin)).toMatchObject({ revision: 8, epochs: [4] });
});

it("counts only the newest revision of a member", () => {
  let rotation = adding();
  for (const each of [a, b, replica])
    for (const by of [-1, 1]) rotation = ack(rotation, each, begin, rotation.revision + by);
  rotation = ack(ack(rotation, { kind: "server", id: "other" }), { kind: "server", id: "r" });
  expect(rotation.phase).toBe("adding");
  expect(laggingMembers(rotation)).toHaveLength(3);
});

describe("an agent that no longer has what it acknowledged", () => {
  it.each<[string, () => TicketRotation, Id]>([
    ["adding", adding, a],
    ["adding", adding, replica],
    ["switching", switching, a],
  ])("holds the phase %s until it has it again", (phase, from, member) => {
    let rotation = ack(from(), member);
    rotation = ack(rotation, member, after(5_000), 0);
    const others = [a, b, replica].filter((each) => each !== member);
    rotation = others.reduce((next, each) => ack(next, each, after(6_000)), rotation);
    expect(rotation).toMatchObject({ phase });
    expect(ids(laggingMembers(rotation))).toEqual([member]);
    expect(laggingMembers(rotation)[0]?.outdatedSince).toEqual(after(5_000));
    expect(ack(rotation, member, after(6_000), 0)).toBe(rotation);
    expect(ack(rotation, member, after(7_000)).phase).not.toBe(phase);
  });

  it("may encrypt with the former epoch while servers switch", () => {
    const rotation = ack(ack(switching(), a), a, begin, 0);
    expect(rotation.members.find((each) => each.id === "a")).toMatchObject({ revision: 0, epoch: 1 });
  });

  it.each([
    ["idle", idle],
    ["retiring", retiring],
  ])("lags in the phase %s, which no server waits for", (phase, from) => {
    const rotation = ack(ack(from(), replica), b, after(5_000), 1);
    expect(rotation).toMatchObject({ phase, dropAt: from().dropAt });
    expect(ids(laggingMembers(rotation))).toEqual([b]);
  });

  it("lags also if it reports a revision that doesn't exist yet", () => {
    const rotation = ack(idle(), b, begin, 99);
    expect(ids(laggingMembers(rotation))).toEqual([b]);
    expect(laggingMembers(startTicketRotation(rotation, 2, begin))).toHaveLength(3);
  });
});

it("remembers the last 1000 of the servers that were removed", () => {
  let rotation = idle();
  for (let i = 0; i < mostTicketsAway + 20; i++)
    rotation = setTicketMembers(rotation, { servers: [`pod-${i}`], replicas: ["r"] }, begin);
  expect(rotation.away).toHaveLength(mostTicketsAway);
  const kept = rotation.away.map((each) => each.server);
  expect(kept).not.toContain("a");
  expect(kept.at(-1)).toBe(`pod-${mostTicketsAway + 18}`);
});

it("doesn't wait for a server that is removed, but for one that is added", () => {
  const without = setTicketMembers(ack(ack(adding(), a), replica), one, begin);
  expect(ackAll(without).phase).toBe("switching");
  let rotation = setTicketMembers(switching(), { servers: ["c", "b", "a"], replicas: ["r"] }, begin);
  for (const each of [a, b]) rotation = ack(rotation, each);
  expect(ids(laggingMembers(rotation))).toEqual([{ kind: "server", id: "c" }]);
  expect(setTicketMembers(rotation, { servers: ["a", "b", "c"], replicas: ["r"] }, begin)).toBe(rotation);
});

it("has no new revision for other replicas, which have no names of their own", () => {
  const rotation = setTicketMembers(adding(), { servers: ["a", "b"], replicas: ["s"] }, begin);
  expect(rotation.revision).toBe(adding().revision);
  expect(ids(laggingMembers(rotation))).toEqual([a, b, { kind: "replica", id: "s" }]);
  expect(setTicketMembers(ack(ack(adding(), a), b), { servers: ["a", "b"], replicas: [] }, begin).phase).toBe(
    "switching",
  );
});

describe("a server that returns without having switched restarts the lifetime", () => {
  const without = (rotation: TicketRotation) => setTicketMembers(rotation, one, begin);
  const start = (rotation: TicketRotation) => startTicketRotation(rotation, 2, begin);
  const fresh = setTicketMembers(newTicketRotation(none, lifetime, begin), both, begin);
  it.each<[string, TicketRotation]>([
    ["idle", start(ackAll(without(idle())))],
    ["idle, without keys", start(ackAll(without(fresh)))],
    ["idle, and returned between", start(without(setTicketMembers(without(idle()), both, begin)))],
    ["adding", without(adding())],
    ["adding, acknowledged", without(ack(adding(), b))],
    ["switching", without(switching())],
  ])("if it was removed while %s", (_, from) => {
    let rotation = from;
    for (let step = 0; rotation.phase !== "retiring" && step < 9; step++) rotation = ackAll(rotation);
    rotation = setTicketMembers(rotation, both, after(3_600_000));
    expect(rotation).toMatchObject({ phase: "switching", dropAt: null });
    expect(ackAll(rotation, after(3_600_000))).toMatchObject({
      phase: "retiring",
      dropAt: after(3_600_000 + lifetime),
    });
  });

  const all = { servers: ["a", "b", "c"], replicas: ["r"] };
  it.each<[string, TicketRotation]>([
    ["is new", setTicketMembers(retiring(), all, begin)],
    [
      "is new and returns",
      setTicketMembers(setTicketMembers(setTicketMembers(retiring(), all, begin), both, begin), all, begin),
    ],
    ["was removed while retiring", setTicketMembers(setTicketMembers(retiring(), one, begin), both, begin)],
    [
      "was removed after it switched",
      setTicketMembers(ackAll(setTicketMembers(ack(switching(), b), one, begin)), both, begin),
    ],
  ])("but not if it %s", (_, rotation) => {
    expect(rotation).toMatchObject({ phase: "retiring", dropAt: after(lifetime) });
  });
});

it("forgets a removed server when the newest epoch that it may have is dropped", () => {
  let rotation = ackAll(setTicketMembers(switching(), one, begin));
  rotation = stepTicketRotation(rotation, after(lifetime));
  expect(rotation).toMatchObject({ phase: "idle", away: [{ server: "b", oldest: 1, newest: 2 }] });
  rotation = ackAll(ackAll(startTicketRotation(rotation, 3, after(lifetime)), after(lifetime)), after(lifetime));
  expect(setTicketMembers(rotation, both, after(lifetime)).phase).toBe("switching");
  expect(stepTicketRotation(rotation, after(2 * lifetime))).toMatchObject({ phase: "idle", away: [] });
});

describe("what a server is seen to encrypt with", () => {
  const seen = (rotation: TicketRotation, epoch: number, at: Date, now = at) =>
    acknowledge(rotation, { ...b, revision: rotation.revision, encrypts: { epoch, seen: at } }, now);

  it("holds the phase while it is the former epoch, although the agent has applied the next", () => {
    const before = ack(switching(), a);
    expect(seen(before, 1, begin)).toBe(before);
    expect(seen(before, 2, begin).phase).toBe("retiring");
  });

  it("counts no more when it is old, as of a server that no replica can probe now", () => {
    expect(seen(ack(switching(), a), 1, begin, after(15 * 60_000)).phase).toBe("retiring");
  });

  it("restarts the lifetime after a restart with the former keys", () => {
    const restarted = seen(retiring(), 1, after(1_000));
    expect(restarted).toMatchObject({ phase: "switching", dropAt: null });
    expect(ids(laggingMembers(restarted))).toEqual([a, b]);
    const held = seen(ack(restarted, a, after(2_000)), 1, after(2_000));
    expect(held.phase).toBe("switching");
    const again = seen(held, 2, after(3_000));
    expect(again).toMatchObject({ phase: "retiring", dropAt: after(3_000 + lifetime) });
  });

  it("is no restart if it was seen before the servers switched, or has an unknown name", () => {
    const rotation = retiring();
    expect(seen(rotation, 1, after(-1), begin)).toBe(rotation);
    expect(seen(rotation, 9, after(1))).toBe(rotation);
  });
});

it("keeps the former epoch as long as the tickets that clients have, whatever the new lifetime", () => {
  expect(setTicketLifetime(retiring(), lifetime / 2).dropAt).toEqual(after(lifetime));
  expect(setTicketLifetime(retiring(), lifetime * 2).dropAt).toEqual(after(2 * lifetime));
  expect(setTicketLifetime(adding(), 1_000)).toMatchObject({ lifetimeMs: 1_000, dropAt: null });
});

it("has one rotation at a time, each to a newer epoch", () => {
  expect(() => startTicketRotation(adding(), 3, begin)).toThrow("phase adding");
  expect(() => startTicketRotation(idle(), 1, begin)).toThrow("can't start epoch 1");
  expect(currentEpoch(switching())).toBe(2);
});
