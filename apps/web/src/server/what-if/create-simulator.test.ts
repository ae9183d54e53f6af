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
const timeoutMs = 20_000;
const cure = "Install Go.";
const create = (file: string, more: { timeoutMs?: number } = {}) => createSimulator({ file, cure, timeoutMs, ...more });
const caller = (id: string, organizationId = id) => ({ id, organizationId });

it("sends the plans to the program and returns its results", async () => {
  const seen = path.join(folder, "seen");
  const simulate = create(program(`test "$1" = simulate && cat > ${seen} && echo '${answer}'`));
  expect(await simulate(caller("a"), plans)).toEqual([result]);
  const echo = create(program(`test "$(cat ${seen})" = '{"plans":[{"seed":7}]}' && echo '${answer}'`));
  expect(await echo(caller("a"), plans)).toEqual([result]);
});

it("limits each caller to one prediction, and all to four", async () => {
  const gate = path.join(folder, "gate");
  const waiting = `cat > /dev/null; while ! test -e ${gate}; do sleep 0.05; done; echo '${answer}'`;
  const simulate = create(program(waiting));
  const running = ["a", "b", "c", "d"].map((id) => simulate(caller(id), plans));
  await expect(simulate(caller("a"), plans)).rejects.toMatchObject({ code: "rate-limited" });
  await expect(simulate(caller("e"), plans)).rejects.toMatchObject({ code: "unavailable" });
  writeFileSync(gate, "");
  expect(await Promise.all(running)).toHaveLength(4);
  expect(await simulate(caller("a"), plans)).toEqual([result]);
});

it("stops a program that takes too long, and admits the caller again", async () => {
  const simulate = create(program("exec sleep 60"), { timeoutMs: 200 });
  for (let i = 0; i < 2; i++)
    await expect(simulate(caller("a"), plans)).rejects.toMatchObject({
      ...{ code: "unavailable", message: expect.stringContaining("stopped after 0.2 seconds") },
    });
});

it("states the cure where the program is missing", async () => {
  const simulate = create(path.join(folder, "none"));
  await expect(simulate(caller("a"), plans)).rejects.toMatchObject({
    ...{ code: "unavailable", message: expect.stringContaining(cure) },
  });
});

it.each([
  ["the program fails", "echo 'no such plan' >&2; exit 2", "The simulator ended with 2: no such plan"],
  ["the program prints something else", "cat > /dev/null; echo '{}'", "results"],
  ["the program prints without end", "exec yes", "The simulator ended with SIGKILL"],
])("fails if %s", async (_, script, message) => {
  await expect(create(program(script))(caller("a"), plans)).rejects.toThrow(message);
});

it("leaves runs for other organizations", async () => {
  const gate = path.join(folder, "gate-of-organizations");
  const simulate = create(program(`cat > /dev/null; while ! test -e ${gate}; do sleep 0.05; done; echo '${answer}'`));
  const running = ["a", "b"].map((id) => simulate(caller(id, "first"), plans));
  await expect(simulate(caller("c", "first"), plans)).rejects.toMatchObject({
    ...{ code: "rate-limited", message: expect.stringContaining("2 predictions of this organization") },
  });
  running.push(simulate(caller("d", "second"), plans));
  writeFileSync(gate, "");
  expect(await Promise.all(running)).toHaveLength(3);
});

it("runs the program with low priority", async () => {
  // Its nice value is field 19 of its status. It is set right after the start.
  const waits = "cat > /dev/null; while test $(cut -d' ' -f19 /proc/$$/stat) -lt 19; do sleep 0.02; done";
  const simulate = create(program(`${waits}; echo '${answer}'`), { timeoutMs: 5_000 });
  expect(await simulate(caller("a"), plans)).toEqual([result]);
});
