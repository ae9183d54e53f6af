import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** A folder with a go.mod. Most programs are in `programs`, so that shared packages are compiled once. */
type Module = "programs" | "metallb" | "metrics" | "node";

export type Program = {
  module: Module;
  package: string;
  /** The argument for checking that it runs, if not --version. */
  proof?: string;
};

/** ProgramSet is built and kept together, because a test that needs one of its programs needs all. */
export type ProgramSet = {
  name: string;
  /** The start of the name of its folders in the cache. */
  prefix: string;
  /** The environment variable that names a folder with the user's own programs. */
  variable: string;
  /** How long its build takes. */
  takes: string;
  programs: Record<string, Program>;
};

/** The programs of a control plane for tests. */
export const controlPlane: ProgramSet = {
  name: "control plane",
  prefix: "",
  variable: "FAIRLEAD_KUBERNETES_BIN",
  takes: "five minutes",
  programs: {
    "kube-apiserver": { module: "programs", package: "k8s.io/kubernetes/cmd/kube-apiserver" },
    "kube-controller-manager": { module: "programs", package: "k8s.io/kubernetes/cmd/kube-controller-manager" },
    "kube-scheduler": { module: "programs", package: "k8s.io/kubernetes/cmd/kube-scheduler" },
    etcd: { module: "programs", package: "go.etcd.io/etcd/server/v3" },
    kwok: { module: "programs", package: "sigs.k8s.io/kwok/cmd/kwok" },
  },
};

/** The programs of real nodes. A separate set, because few tests need nodes. */
export const nodes: ProgramSet = {
  name: "nodes",
  prefix: "nodes-",
  variable: "FAIRLEAD_KUBERNETES_NODES_BIN",
  takes: "three minutes",
  programs: {
    kubelet: { module: "programs", package: "k8s.io/kubernetes/cmd/kubelet" },
    "kube-proxy": { module: "programs", package: "k8s.io/kubernetes/cmd/kube-proxy" },
    containerd: { module: "programs", package: "github.com/containerd/containerd/v2/cmd/containerd" },
    "containerd-shim-runc-v2": {
      module: "programs",
      package: "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2",
      proof: "-v",
    },
    ctr: { module: "programs", package: "github.com/containerd/containerd/v2/cmd/ctr" },
    "metallb-controller": { module: "metallb", package: "go.universe.tf/metallb/controller", proof: "-help" },
    "metallb-speaker": { module: "metallb", package: "go.universe.tf/metallb/speaker", proof: "-help" },
    "metrics-server": { module: "metrics", package: "sigs.k8s.io/metrics-server/cmd/metrics-server" },
    answer: { module: "node", package: "./answer", proof: "-help" },
    pause: { module: "node", package: "./pause", proof: "-help" },
    relay: { module: "node", package: "./relay", proof: "-help" },
  },
};

/** Assigns addresses to Services in AWS. A separate set, because only tests on an emulated cloud need it. */
export const awsController: ProgramSet = {
  name: "controller of AWS",
  prefix: "aws-",
  variable: "FAIRLEAD_KUBERNETES_AWS_BIN",
  takes: "one minute",
  programs: {
    "aws-cloud-controller-manager": {
      module: "programs",
      package: "k8s.io/cloud-provider-aws/cmd/aws-cloud-controller-manager",
    },
  },
};

export function moduleFolder(module: Module): string {
  return path.join(import.meta.dirname, module);
}

/** executableOf returns the name that Go gives the executable of a package. */
export function executableOf({ package: imported }: Program): string {
  const [, name] = /([^/]+?)(?:\/v\d+)?$/.exec(imported) ?? [];
  return name ?? imported;
}

/** buildFlags are the same for all programs, because different flags would compile shared packages again. */
export function buildFlags(): string[] {
  const version = kubernetesVersion();
  const [major, minor] = version.slice(1).split(".");
  // Without them, the API would report v0.0.0.
  const stamps = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: "clean" };
  const linked = Object.entries(stamps).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return [
    ...["-trimpath", "-buildvcs=false", "-mod=readonly"],
    // gRPC's own traces make every program larger, and WebAssembly takes containerd a second compiler. No test needs them.
    "-tags=grpcnotrace,nri_no_wasm",
    // No debugger reads these programs: the compiler saves the work, and the linker has nothing to strip.
    "-gcflags=all=-dwarf=false",
    `-ldflags=-s -w ${linked.join(" ")}`,
  ];
}

/** cacheFolder differs by version, dependencies, flags of the build, and platform. */
export function cacheFolder(env: NodeJS.ProcessEnv, { programs, prefix }: ProgramSet): string {
  const cache = env.FAIRLEAD_CACHE ?? path.join(env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "fairlead");
  const digest = createHash("sha256").update(JSON.stringify([process.platform, process.arch, programs, buildFlags()]));
  for (const module of new Set(Object.values(programs).map((program) => program.module)))
    for (const file of filesOf(moduleFolder(module))) digest.update(readFileSync(file));
  return path.resolve(cache, "kubernetes", `${prefix}${kubernetesVersion()}-${digest.digest("hex").slice(0, 12)}`);
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

export function missingIn(folder: string, { programs }: ProgramSet): string[] {
  return Object.keys(programs).filter((name) => !existsSync(path.join(folder, name)));
}

function kubernetesVersion(): string {
  const file = path.join(moduleFolder("programs"), "go.mod");
  const [, version] = /^\s*(?:require )?k8s\.io\/kubernetes (v\d+\.\d+\.\d+)/m.exec(readFileSync(file, "utf8")) ?? [];
  if (!version) throw new Error(`${file} requires no version of k8s.io/kubernetes`);
  return version;
}
