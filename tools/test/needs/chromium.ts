import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { step } from "../../../packages/launcher/src/progress.ts";
import { Refusal } from "../../../packages/launcher/src/refusal.ts";
import { root } from "../../../packages/launcher/src/settings.ts";

/** The headless shell needs a third less processor time than the full browser. */
const headless = "/usr/bin/chromium-headless-shell";
const usual = [
  headless,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** findChromium returns a browser for the tests: the configured one, a newly installed one, the system's, or Playwright's. */
export async function findChromium(): Promise<string> {
  const named = process.env.CHROMIUM;
  if (named && !existsSync(named))
    throw new Refusal(`CHROMIUM is ${named}, which doesn't exist. Set it to an existing browser, or unset it.`);
  if (named) return named;
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (mayInstall && !existsSync(headless))
    await step("Installing Chromium from the system's packages (for the browser tests)", async () => {
      run("apt-get", ["update", "-qq"]);
      run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium-headless-shell"]);
    });
  const found = usual.find((file) => existsSync(file)) ?? playwrightsOwn();
  if (found) return found;
  await step("Installing Playwright's Chromium (for the browser tests)", async () =>
    run(path.join(root, "node_modules/.bin/playwright"), ["install", "chromium"]),
  );
  const installed = playwrightsOwn();
  if (installed) return installed;
  throw new Refusal(
    "The browser tests need Chromium, which could not be installed. Install the package chromium, or set a browser with CHROMIUM=/path/to/it npm test",
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
