import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

type Module = "kubernetes" | "etcd" | "kwok";

/** What a control plane for tests runs, each built from the Go module that is pinned in the folder of that name. */
export const programs: Record<string, { module: Module; package: string }> = {
  // First, because it takes longest and compiles most of what the next two share with it.
  "kube-apiserver": { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kube-apiserver" },
  "kube-controller-manager": { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kube-controller-manager" },
  "kube-scheduler": { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kube-scheduler" },
  etcd: { module: "etcd", package: "go.etcd.io/etcd/server/v3" },
  kwok: { module: "kwok", package: "sigs.k8s.io/kwok/cmd/kwok" },
};

export const names = Object.keys(programs);

const answersWithinMs = 30_000;

export function moduleFolder(module: Module): string {
  return path.join(import.meta.dirname, module);
}

/** buildFlags are the same for all programs; without a version, the API would call itself v0.0.0. */
export function buildFlags(): string[] {
  const version = kubernetesVersion();
  const [major, minor] = version.slice(1).split(".");
  const said = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: "clean" };
  const stamps = Object.entries(said).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return ["-trimpath", "-buildvcs=false", "-mod=readonly", `-ldflags=-s -w ${stamps.join(" ")}`];
}

/** cacheFolder is another for each version, each set of dependencies, each way of building, and each kind of machine. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const cache = env.FAIRLEAD_CACHE ?? path.join(env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "fairlead");
  const digest = createHash("sha256").update(JSON.stringify([process.platform, process.arch, programs, buildFlags()]));
  for (const module of ["kubernetes", "etcd", "kwok"] as const)
    for (const file of ["go.mod", "go.sum"]) digest.update(readFileSync(path.join(moduleFolder(module), file)));
  return path.resolve(cache, "kubernetes", `${kubernetesVersion()}-${digest.digest("hex").slice(0, 12)}`);
}

/** namedFolder is where somebody keeps programs of their own, whole, because they are started elsewhere. */
export function namedFolder(env: NodeJS.ProcessEnv): string | null {
  return env.FAIRLEAD_KUBERNETES_BIN ? path.resolve(env.FAIRLEAD_KUBERNETES_BIN) : null;
}

export function missingIn(folder: string): string[] {
  return names.filter((name) => !existsSync(path.join(folder, name)));
}

/** checkNamed refuses a folder that FAIRLEAD_KUBERNETES_BIN names unless all programs are in it and run here. */
export async function checkNamed(folder: string): Promise<void> {
  const missing = missingIn(folder);
  if (missing.length > 0) throw new Error(refusal(folder, `in which there is no ${missing.join(", ")}`));
  const problems = await Promise.all(names.map((name) => whyNotRunning(path.join(folder, name))));
  const first = problems.findIndex((problem) => problem !== null);
  if (first >= 0) throw new Error(refusal(folder, `whose ${names[first]} can't run here (${problems[first]})`));
}

function refusal(folder: string, why: string): string {
  return `FAIRLEAD_KUBERNETES_BIN is ${folder}, ${why}: put ${names.join(", ")} there, or unset it, and they are built.`;
}

function whyNotRunning(program: string): Promise<string | null> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(answersWithinMs);
    const child = spawn(program, ["--version"], { stdio: "ignore", signal, killSignal: "SIGKILL" });
    child.once("error", (error: NodeJS.ErrnoException) => resolve(signal.aborted ? "no answer" : (error.code ?? "")));
    child.once("close", (code, signal) => resolve(code === 0 ? null : (signal ?? `exit ${code}`)));
  });
}

function kubernetesVersion(): string {
  const file = path.join(moduleFolder("kubernetes"), "go.mod");
  const [, version] = /^\s*(?:require )?k8s\.io\/kubernetes (v\d+\.\d+\.\d+)/m.exec(readFileSync(file, "utf8")) ?? [];
  if (!version) throw new Error(`${file} requires no version of k8s.io/kubernetes`);
  return version;
}
