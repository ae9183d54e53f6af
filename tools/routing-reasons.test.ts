import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { routingReasons } from "@fairlead/domain";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const said = (file: string, words: RegExp) =>
  [...readFileSync(path.join(root, file), "utf8").matchAll(words)].flatMap(([, word]) => (word ? [word] : []));

const goFiles = (folder: string) =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith(".go") && !name.endsWith("_test.go"))
    .map((name) => `${folder}/${name}`);

/** What the agents that speak BGP say: each file declares its words as constants. */
const ofAgents = [
  "agents/internal/bgp/message/say.go",
  "agents/internal/bgp/message/doubts.go",
  "agents/internal/bgp/message/host.go",
  "agents/internal/router/say.go",
  "agents/internal/speaker/say.go",
].flatMap((file) => said(file, /^(?:const |\t)[A-Z]\w* *= "([A-Z][A-Za-z]+)"$/gm));

const ofOthers = [
  "packages/reconciler/src/kinds/cloud-route/record.ts",
  "packages/reconciler/src/kinds/cloud-route/record-failure.ts",
  "packages/reconciler/src/kinds/cloud-route/leave.ts",
  "packages/services/src/gateway/advance-status.ts",
  "packages/services/src/gateway/shared-addresses.sql.ts",
  "packages/services/src/node/tell-of-drain.ts",
  "packages/services/src/experiment/tell.ts",
].flatMap((file) => said(file, /"((?:Address|Clock|Cloud|Node|Experiment)[A-Z][A-Za-z]+)"/g));

describe("the reasons that routing is told by", () => {
  it("are found where they are said", () => {
    expect(ofAgents.length).toBeGreaterThan(10);
    expect(ofOthers.length).toBeGreaterThan(10);
  });

  it("are those that agents and the control plane say, none forgotten and none invented", () => {
    expect([...routingReasons].sort()).toEqual([...new Set([...ofAgents, ...ofOthers])].sort());
  });

  it("are said nowhere else by agents that speak BGP", () => {
    const files = ["bgp/message", "router", "speaker", "reflector"].map((folder) => `agents/internal/${folder}`);
    for (const folder of files) {
      const others = goFiles(folder).flatMap((file) => said(file, /Reason: +"([A-Z][A-Za-z]+)"/g));
      expect(others, `${folder} says words that are no constants`).toEqual([]);
      const words = goFiles(folder).flatMap((file) =>
        said(file, /^(?:const |\t)[A-Z]\w* *= "([A-Z][a-z]+[A-Z][A-Za-z]+|Announced)"$/gm),
      );
      expect(
        words.filter((word) => !ofAgents.includes(word)),
        folder,
      ).toEqual([]);
    }
  });
});
