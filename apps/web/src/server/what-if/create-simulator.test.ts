import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { SimulatorPlan } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSimulator } from "./create-simulator.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-simulator-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let programs = 0;

function program(script: string): string {
  const file = path.join(folder, `program-${++programs}`);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const result = { meanMs: 2, latency: { p50Ms: 1, p99Ms: 9 }, localShare: 0.5, busyShares: [0.25] };
const plans = [{ seed: 7 } as SimulatorPlan];
const answer = JSON.stringify({ results: [{ ...result, requestsPerSecond: 5 }] });
const patient = 20_000;

it("sends the plans to the program and returns its results", async () => {
  const seen = path.join(folder, "seen");
  const simulate = createSimulator(program(`test "$1" = simulate && cat > ${seen} && echo '${answer}'`), patient);
  expect(await simulate("a", plans)).toEqual([result]);
  const echo = createSimulator(
    program(`test "$(cat ${seen})" = '{"plans":[{"seed":7}]}' && echo '${answer}'`),
    patient,
  );
  expect(await echo("a", plans)).toEqual([result]);
});

it("limits each caller to one prediction, and all to four", async () => {
  const gate = path.join(folder, "gate");
  const waiting = `cat > /dev/null; while ! test -e ${gate}; do sleep 0.05; done; echo '${answer}'`;
  const simulate = createSimulator(program(waiting), patient);
  const running = ["a", "b", "c", "d"].map((caller) => simulate(caller, plans));
  await expect(simulate("a", plans)).rejects.toMatchObject({ code: "rate-limited" });
  await expect(simulate("e", plans)).rejects.toMatchObject({ code: "unavailable" });
  writeFileSync(gate, "");
  expect(await Promise.all(running)).toHaveLength(4);
  expect(await simulate("a", plans)).toEqual([result]);
});

it("stops a program that takes too long, and admits the caller again", async () => {
  const simulate = createSimulator(program("exec sleep 60"), 200);
  for (let i = 0; i < 2; i++)
    await expect(simulate("a", plans)).rejects.toMatchObject({
      ...{ code: "unavailable", message: expect.stringContaining("stopped after 0.2 seconds") },
    });
});

it("states the cure where the program is missing", async () => {
  const simulate = createSimulator(path.join(folder, "none"), patient);
  await expect(simulate("a", plans)).rejects.toMatchObject({
    ...{ code: "unavailable", message: expect.stringContaining("Install Go and restart it") },
  });
});

it.each([
  ["the program fails", "echo 'no such plan' >&2; exit 2", "The simulator ended with 2: no such plan"],
  ["the program prints something else", "cat > /dev/null; echo '{}'", "results"],
  ["the program prints without end", "exec yes", "The simulator ended with SIGKILL"],
])("fails if %s", async (_, script, message) => {
  await expect(createSimulator(program(script), patient)("a", plans)).rejects.toThrow(message);
});
