import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { eventReasonNames, eventReasons } from "@fairlead/domain/event";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const namesIn = (file: string, words: RegExp) =>
  [...readFileSync(path.join(root, file), "utf8").matchAll(words)].flatMap(([, word]) => (word ? [word] : []));

const filesOf = (folder: string, isWanted: (name: string) => boolean) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(isWanted)
    .map((name) => `${folder}/${name}`);
const goFiles = (folder: string) =>
  filesOf(folder, (name) => name.endsWith(".go") && !name.endsWith("_test.go") && !name.includes("/"));

/** Reasons reported by agents: each file declares its own as constants. */
const ofAgents = [
  "agents/internal/balancer/events.go",
  "agents/internal/bgp/message/record.go",
  "agents/internal/bgp/message/session_monitor.go",
  "agents/internal/bgp/message/host.go",
  "agents/internal/events/events.go",
  "agents/internal/router/events.go",
  "agents/internal/speaker/events.go",
].flatMap((file) => namesIn(file, /^(?:const |\t)[A-Z]\w* *= "([A-Z][A-Za-z]+)"$/gm));

const sources = ["domain", "services", "reconciler"].flatMap((name) =>
  filesOf(
    `packages/${name}/src`,
    (file) => /\.ts$/.test(file) && !/\.test\.ts$|testing\//.test(file) && file !== "event/reasons.ts",
  ),
);

describe("the reasons of events", () => {
  it("are found where agents declare them", () => {
    expect(ofAgents.length).toBeGreaterThan(20);
  });

  it("are exactly those that agents report", () => {
    const known = eventReasonNames.filter((name) => eventReasons[name].by !== "control-plane");
    expect(known.toSorted()).toEqual([...new Set(ofAgents)].toSorted());
  });

  it("are all recorded by the control plane", () => {
    const written = new Set(sources.flatMap((file) => namesIn(file, /"([A-Z][A-Za-z]+)"/g)));
    const known = eventReasonNames.filter((name) => eventReasons[name].by !== "agents");
    expect(known.filter((name) => !written.has(name))).toEqual([]);
  });

  it("are declared nowhere else in agents", () => {
    const folders = ["balancer", "bgp/message", "router", "speaker", "reflector"];
    for (const folder of folders.map((name) => `agents/internal/${name}`)) {
      const others = goFiles(folder).flatMap((file) =>
        namesIn(file, /events\.Event\{[^}]*Reason: +"([A-Z][A-Za-z]+)"/g),
      );
      expect(others, `${folder} has reasons that are not constants`).toEqual([]);
      const words = goFiles(folder).flatMap((file) =>
        namesIn(file, /^(?:const |\t)[A-Z]\w* *= "([A-Z][a-z]+[A-Z][A-Za-z]+|Announced)"$/gm),
      );
      expect(
        words.filter((word) => !ofAgents.includes(word)),
        folder,
      ).toEqual([]);
    }
  });
});
