import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { step } from "../../../packages/launcher/src/progress.ts";
import { Refusal } from "../../../packages/launcher/src/refusal.ts";

/** Need is a program or package of the machine that a suite uses. */
export type Need = {
  name: string;
  /** What it is for: the end of a sentence. */
  for: string;
  isMet: () => boolean;
  /** The Debian packages that provide it; empty if it can't be installed automatically. */
  packages: string[];
  /** Installs it, if it isn't a Debian package. */
  install?: () => Promise<unknown>;
  cure: string;
  /** Only some tests use it, and those fail or are skipped with the reason if it is missing. */
  isForSome?: boolean;
};

/** The system; tests pass a fake. */
export type Machine = { canInstall: boolean; install: (packages: string[]) => Promise<void> };

/** meetNeeds installs missing packages if permitted, and throws one message about what is still missing, before any suite runs. */
export async function meetNeeds(needs: readonly Need[], machine: Machine = thisMachine): Promise<void> {
  const packages = needs.filter((need) => !need.isMet()).flatMap((need) => need.packages);
  if (packages.length > 0 && machine.canInstall) await machine.install([...new Set(packages)]);
  for (const { name, install } of needs.filter((need) => !need.isMet()))
    await install?.().catch((error: unknown) => console.error(`• Can't install ${name}: ${String(error)}`));
  const [some, missing] = split(needs.filter((need) => !need.isMet()));
  if (some.length > 0)
    console.log(
      `• Missing ${some.map((need) => need.name).join(", ")}: tests that need ${some.length > 1 ? "them" : "it"} will fail or be skipped`,
    );
  if (missing.length === 0) return;
  const list = missing.map((need) => `${need.name} for ${need.for} (${need.cure})`).join(", ");
  throw new Refusal(`npm test needs ${list}. Install it and start again, or run only suites that don't need it.`);
}

function split(needs: readonly Need[]): [forSome: Need[], forAll: Need[]] {
  return [needs.filter((need) => need.isForSome), needs.filter((need) => !need.isForSome)];
}

/** has returns whether a program exists. */
export function has(program: string): boolean {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin", "/sbin"];
  return folders.some((folder) => existsSync(path.join(folder, program)));
}

/** runs returns whether a program exists and succeeds with these arguments. */
export function runs(program: string, args: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

/** debian is a need for a Debian package that counts as met when it is installed. */
export function debian(name: string, purpose: string, isMet = () => isInstalled(name)): Need {
  return { name, for: purpose, isMet, packages: [name], cure: `apt-get install ${name}` };
}

function isInstalled(name: string): boolean {
  const { stdout } = spawnSync("dpkg", ["-s", name], { encoding: "utf8" });
  return stdout?.includes("install ok installed") ?? false;
}

const thisMachine: Machine = {
  canInstall: process.getuid?.() === 0 && existsSync("/usr/bin/apt-get"),
  install: (packages) =>
    step(`Installing ${packages.join(", ")} from the system's packages`, async () => {
      apt(["update", "-qq"]);
      withoutStarting(() => {
        // One call is faster; a package that doesn't exist must not prevent the others.
        if (!apt(install(packages))) for (const each of packages) apt(install([each]));
      });
    }),
};

const install = (packages: string[]) => ["install", "-y", "-qq", "--no-install-recommends", ...packages];

function apt(args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stderr } = spawnSync("apt-get", args, { encoding: "utf8", env });
  if (status !== 0) console.error(stderr?.split("\n").slice(-5).join("\n"));
  return status === 0;
}

const policy = "/usr/sbin/policy-rc.d";

/** withoutStarting keeps packages from starting their services, with Debian's policy-rc.d: tests start their own, on their own ports. */
function withoutStarting(work: () => void): void {
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    work();
  } finally {
    if (isOurs) rmSync(policy, { force: true });
  }
}
