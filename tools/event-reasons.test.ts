import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { eventReasonNames, eventReasons } from "@fairlead/domain/event";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const namesIn = (file: string, words: RegExp) =>
  [...read(file).matchAll(words)].flatMap(([, word]) => (word ? [word] : []));

const filesOf = (folder: string, isWanted: (name: string) => boolean) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(isWanted)
    .map((name) => `${folder}/${name}`);
const goFiles = filesOf("agents/internal", (name) => name.endsWith(".go") && !name.endsWith("_test.go"));

/** Constants that agents report: several words in one, or any name that is used as the reason of an event. */
const ofAgents = goFiles.flatMap((file) => {
  const used = reasonsUsedIn(path.dirname(file));
  const constants = [...read(file).matchAll(/^(?:const |\t)([A-Z]\w*) *= "([A-Z][A-Za-z]+)"$/gm)];
  return constants.flatMap(([, name = "", word = ""]) =>
    used.has(name) || /^[A-Z][a-z]+[A-Z]/.test(word) ? [word] : [],
  );
});

/** Reasons are declared in the folder that uses them. */
function reasonsUsedIn(folder: string): Set<string> {
  const files = goFiles.filter((file) => path.dirname(file) === folder);
  return new Set(files.flatMap((file) => namesIn(file, /\bReason(?:: |(?:, \w+\.Message)? = )([A-Z]\w*)\b(?![.(])/g)));
}

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

  it("with the topic routing are explained to operators", () => {
    const page = read("docs/reference/routing.md");
    const routing = eventReasonNames.filter((name) => eventReasons[name].topic === "routing");
    expect(routing.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it("are constants in agents, never texts in place", () => {
    const others = goFiles.flatMap((file) =>
      namesIn(file, /\bReason(?:: |(?:, \w+\.Message)? = )"([A-Z][A-Za-z]+)"/g).map((word) => `${file}: ${word}`),
    );
    expect(others).toEqual([]);
  });
});
