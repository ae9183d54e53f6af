import { expect, it } from "vitest";
import { podOf, podTicketNames } from "./pod-tickets.ts";
import { setTicketMembers } from "./ticket-members.ts";
import {
  acknowledge,
  newTicketRotation,
  startTicketRotation,
  stepTicketRotation,
  type TicketRotation,
} from "./ticket-rotation.ts";

const spell = (names: ReturnType<typeof podTicketNames>) =>
  names.map(({ epoch, isMark }) => `${epoch}${isMark ? " mark" : ""}`);

it("starts tickets with the mark of the present epoch while the next one is added", () => {
  const of = (phase: TicketRotation["phase"], epochs: number[]) => spell(podTicketNames({ phase, epochs }, "nginx"));
  expect(of("idle", [1])).toEqual(["1", "1 mark"]);
  expect(of("adding", [1, 2])).toEqual(["1 mark", "1", "2", "2 mark"]);
  expect(of("switching", [2, 1])).toEqual(["2", "2 mark", "1", "1 mark"]);
  expect(of("retiring", [2, 1])).toEqual(of("switching", [2, 1]));
});

it("has no marks for Node, which accepts one key", () => {
  expect(spell(podTicketNames({ phase: "adding", epochs: [1, 2] }, "node"))).toEqual(["1", "2"]);
});

it("never starts tickets with a name that servers didn't accept a phase before, and has one for each phase that is seen", () => {
  const now = new Date(0);
  const members = { servers: ["default/web-1"], replicas: [] };
  let rotation = setTicketMembers(newTicketRotation({ revision: 0, epoch: 0 }, 1_000, now), members, now);
  let accepted = podTicketNames(rotation, "nginx");
  const used = new Set<string>();
  for (let step = 0; step < 12; step++) {
    rotation = acknowledge(
      rotation,
      { kind: "server", id: "default/web-1", revision: rotation.revision, encrypts: null },
      now,
    );
    if (rotation.phase === "idle") rotation = startTicketRotation(rotation, (rotation.epochs[0] ?? 0) + 1, now);
    else rotation = stepTicketRotation(rotation, new Date(rotation.dropAt ?? 0));
    const names = podTicketNames(rotation, "nginx");
    const [own] = spell(names);
    expect(spell(accepted)).toContain(own);
    if (rotation.phase === "adding" || rotation.phase === "switching") {
      expect(used).not.toContain(own);
      used.add(own ?? "");
    }
    accepted = names;
  }
  expect(used.size).toBeGreaterThan(4);
});

it("finds the pod of an instance", () => {
  expect(podOf("default/shop-7c9f-x2")).toBe("shop-7c9f-x2");
});
