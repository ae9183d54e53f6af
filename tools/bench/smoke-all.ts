import { spawn } from "node:child_process";
import { catalogue, skipReason } from "./catalogue.ts";

const mostMs = 180_000;

/** smokeAll runs the smoke form of every benchmark, each in a process of its own, and returns how many failed. */
export async function smokeAll(main: string): Promise<number> {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const name of Object.keys(catalogue)) {
    const began = performance.now();
    const reason = skipReason(name);
    const outcome = reason ? "skipped" : (await runSmoke(main, name)) ? "passed" : "failed";
    count[outcome]++;
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(`• ${name}: ${outcome}${reason ? `, ${reason}` : ` (${seconds} s)`}\n`);
  }
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  return count.failed;
}

function runSmoke(main: string, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // An interrupted benchmark removes its network namespaces and processes itself.
    const child = spawn(process.execPath, [main, name, "--smoke"], {
      stdio: "inherit",
      timeout: mostMs,
      killSignal: "SIGINT",
    });
    child.once("error", reject);
    child.once("close", (code) => resolve(code === 0));
  });
}
