import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

type Module = "kubernetes" | "etcd" | "kwok" | "kubelet" | "containerd" | "metallb" | "node" | "aws";

export type Program = {
  /** The folder here that pins the module it comes from. */
  module: Module;
  package: string;
  /** What Go is told besides what it is told of all. */
  flags?: readonly string[];
  /** What it takes to show that it runs, where that isn't --version. */
  proof?: string;
};

/** ProgramSet is what is built and kept together, because whoever needs one of it needs all. */
export type ProgramSet = {
  name: string;
  /** What its folders in the cache are called before the version. */
  prefix: string;
  /** The variable of the environment that names a folder with programs of somebody's own. */
  variable: string;
  /** How long the set takes, for whoever waits. */
  takes: string;
  programs: Record<string, Program>;
};

/** What a control plane for tests runs, each built from the Go module that is pinned in the folder of that name. */
export const controlPlane: ProgramSet = {
  name: "control plane",
  prefix: "",
  variable: "FAIRLEAD_KUBERNETES_BIN",
  takes: "eight minutes",
  programs: {
    // First, because it takes longest and compiles most of what the next two share with it.
    "kube-apiserver": { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kube-apiserver" },
    "kube-controller-manager": { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kube-controller-manager" },
    "kube-scheduler": { module: "kubernetes", package: "k8s.io/kubernetes/cmd/kube-scheduler" },
    etcd: { module: "etcd", package: "go.etcd.io/etcd/server/v3" },
    kwok: { module: "kwok", package: "sigs.k8s.io/kwok/cmd/kwok" },
  },
};

// Its device mapper's and its own file system's headers are not on every machine.
const containerd = { module: "containerd", flags: ["-tags=no_btrfs"] } as const;
// It reaches into Go's own packages, which Go refuses by now unless told.
const metallb = { module: "metallb", flags: ["-ldflags=-s -w -checklinkname=0"], proof: "-help" } as const;
const own = { module: "node", proof: "-help" } as const;

/** What real nodes run, and what runs on them: apart, because few tests need them. */
export const nodes: ProgramSet = {
  name: "nodes",
  prefix: "nodes-",
  variable: "FAIRLEAD_KUBERNETES_NODES_BIN",
  takes: "seven minutes",
  programs: {
    kubelet: { module: "kubelet", package: "k8s.io/kubernetes/cmd/kubelet" },
    "kube-proxy": { module: "kubelet", package: "k8s.io/kubernetes/cmd/kube-proxy" },
    containerd: { ...containerd, package: "github.com/containerd/containerd/v2/cmd/containerd" },
    "containerd-shim-runc-v2": {
      ...{ ...containerd, package: "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2" },
      proof: "-v",
    },
    ctr: { ...containerd, package: "github.com/containerd/containerd/v2/cmd/ctr" },
    "metallb-controller": { ...metallb, package: "go.universe.tf/metallb/controller" },
    "metallb-speaker": { ...metallb, package: "go.universe.tf/metallb/speaker" },
    answer: { ...own, package: "./answer" },
    pause: { ...own, package: "./pause" },
    relay: { ...own, package: "./relay" },
  },
};

/** What gives Services their addresses in AWS: apart as well, because only tests on an emulated cloud need it. */
export const awsController: ProgramSet = {
  name: "controller of AWS",
  prefix: "aws-",
  variable: "FAIRLEAD_KUBERNETES_AWS_BIN",
  takes: "three minutes",
  programs: {
    "aws-cloud-controller-manager": {
      module: "aws",
      package: "k8s.io/cloud-provider-aws/cmd/aws-cloud-controller-manager",
    },
  },
};

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
  const file = path.join(moduleFolder("kubernetes"), "go.mod");
  const [, version] = /^\s*(?:require )?k8s\.io\/kubernetes (v\d+\.\d+\.\d+)/m.exec(readFileSync(file, "utf8")) ?? [];
  if (!version) throw new Error(`${file} requires no version of k8s.io/kubernetes`);
  return version;
}
