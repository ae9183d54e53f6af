import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { step } from "../progress.ts";
import { Refusal } from "../refusal.ts";
import { root } from "../settings.ts";

const usual = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** findChromium answers a browser for the tests: the one named, the system's, a newly installed one, or Playwright's own. */
export async function findChromium(): Promise<string> {
  const named = process.env.CHROMIUM;
  if (named && !existsSync(named))
    throw new Refusal(`CHROMIUM is ${named}, and nothing is there: name an existing browser, or unset it.`);
  const found = named ?? usual.find((file) => existsSync(file)) ?? playwrightsOwn();
  if (found) return found;

  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    await step("Installing Chromium from the system's packages (for the browser tests)", async () => {
      run("apt-get", ["update", "-qq"]);
      run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"]);
    });
  } else {
    await step("Installing Playwright's Chromium (for the browser tests)", async () =>
      run(path.join(root, "node_modules/.bin/playwright"), ["install", "chromium"]),
    );
  }
  const installed = usual.find((file) => existsSync(file)) ?? playwrightsOwn();
  if (installed) return installed;
  throw new Refusal(
    "The browser tests need Chromium and it could not be installed: install the package chromium, or name a browser with CHROMIUM=/path/to/it npm test",
  );
}

function playwrightsOwn(): string | null {
  const script = 'process.stdout.write(require("@playwright/test").chromium.executablePath())';
  const { stdout } = spawnSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
  return stdout && existsSync(stdout) ? stdout : null;
}

function run(command: string, args: string[]): void {
  const { status, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (status !== 0) console.error(stderr?.split("\n").slice(-5).join("\n"));
}
