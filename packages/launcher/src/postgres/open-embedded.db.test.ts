import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Supervised } from "../process/supervisor.ts";
import { removeFolder, scratchFolder } from "../testing/product.ts";
import { openEmbedded } from "./open-embedded.ts";
import { type Embedded, prepareEmbedded } from "./postgres.ts";

let folder: string;
let server: Supervised | null = null;
beforeAll(() => {
  folder = scratchFolder();
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(async () => {
  await server?.stop();
  server = null;
});
afterAll(() => removeFolder(folder));

const prepare = () => prepareEmbedded(folder, path.join(folder, "database.log"));

async function open(embedded: Embedded): Promise<void> {
  server = new Supervised(embedded.program, () => {});
  await openEmbedded(embedded, server);
}

/** refusalOf returns the message, which must arrive long before the timeout of a slow start. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  const began = Date.now();
  const sentence = await work.then(
    () => "",
    (error: Error) => `${error.name}: ${error.message}`,
  );
  expect(Date.now() - began).toBeLessThan(40_000);
  return sentence;
}

describe("the embedded PostgreSQL", () => {
  it("reports a lost password, and opens again after the described fix", async () => {
    await open(await prepare());
    await server?.stop();

    const { passwordFile } = await prepare();
    rmSync(passwordFile);
    expect(await refusalOf(prepare())).toContain(`is missing. Restore the file ${passwordFile}`);

    writeFileSync(passwordFile, "another-password\n", { mode: 0o600 });
    const sentence = await refusalOf(prepare().then(open));
    expect(sentence).toContain(`Refusal: The password in ${passwordFile} is not the one`);
    expect(sentence).toContain(`PostgreSQL's data in ${folder}`);
    expect(sentence).not.toContain("another-password");
    await server?.stop();
    execFileSync("sh", ["-c", sentence.split("\n")[1] ?? ""], { cwd: folder, stdio: "pipe" });
    await open(await prepare());
  });

  it.each([
    ["is closed to other users", 0o750, 0o750],
    ["is closed to its group too", 0o700, 0o710],
  ])("opens in a data folder that %s", async (_, mode, asRoot) => {
    chmodSync(folder, mode);
    chownSync(folder, -1, process.getgid?.() ?? -1);
    await open(await prepare());
    expect(statSync(folder).mode & 0o777).toBe(process.getuid?.() === 0 ? asRoot : mode);
  });

  it("reports the reason at once if it exits at every start", async () => {
    const embedded = await prepare();
    const file = path.join(embedded.cluster, "postgresql.conf");
    const former = readFileSync(file, "utf8");
    writeFileSync(file, `${former}\nshared_preload_libraries = 'no_such_library'\n`);
    const sentence = await refusalOf(open(embedded));
    expect(sentence).toMatch(
      /^Refusal: PostgreSQL ended right after its start: could not access file "no_such_library"/,
    );
    expect(sentence).toContain(embedded.program.logFile);
    writeFileSync(file, former);
  });

  // Only root runs it as another user, and can make its data unreadable for it.
  it.runIf(process.getuid?.() === 0)("that can't read its data runs again after the described fix", async () => {
    const embedded = await prepare();
    execFileSync("chown", ["-R", "4242", embedded.cluster]);
    const sentence = await refusalOf(open(embedded));
    expect(sentence).toMatch(/^Refusal: PostgreSQL ended right after its start: could not .*Permission denied/);
    await server?.stop();
    execFileSync("sh", ["-c", /chown .*$/.exec(sentence)?.[0] ?? "false"]);
    await open(await prepare());
  });
});
