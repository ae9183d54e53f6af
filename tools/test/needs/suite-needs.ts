import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { isRecentGo, minGoVersion } from "../../../packages/launcher/src/build/go-version.ts";
import { root } from "../../../packages/launcher/src/settings.ts";
import { envoy } from "./envoy.ts";
import { debian, has, type Need, runs } from "./needs.ts";

// What the suites need from the machine. To add a need, add a line.

export const go: Need = {
  name: `Go ${minGoVersion} or newer`,
  for: "the agents",
  isMet: () =>
    isRecentGo(spawnSync("go", ["version"], { cwd: path.join(root, "agents"), encoding: "utf8" }).stdout ?? ""),
  packages: [],
  cure: "https://go.dev/dl",
};

const compiler = debian("gcc", "the race detector", () => has("gcc") || has("clang"));
const libc = debian("libc6-dev", "the race detector", () => runs("sh", ["-c", "echo '#include <stdlib.h>' | cc -E -"]));
const openssl = debian("openssl", "a TLS client other than Go's", () => has("openssl"));

const python: Need = {
  name: "Python 3.10 or newer with venv",
  for: "schemathesis, the generated client for Python, and the emulator of a cloud",
  isMet: () => runs("python3", ["-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))"]),
  packages: ["python3", "python3-venv"],
  cure: "apt-get install python3-venv",
};

/** What generates clients for Java and Go. */
const java = [
  debian("default-jdk-headless", "generated clients for Java and Go", () => has("javac")),
  debian("maven", "generated clients for Java and Go", () => has("mvn")),
].map((need) => ({ ...need, isForSome: true }));

/** Programs that the agents' roles control on a real host, and programs to compare them with. */
const roles = [
  "nftables",
  "ethtool",
  "iproute2",
  "haproxy",
  "nginx",
  "libnginx-mod-stream",
  "redis-server",
  "clang-16",
  "llvm-16",
  "libbpf-dev",
  "user-mode-linux",
  "frr",
  "bird2",
  "exabgp",
  "gobgpd",
].map((name) => ({ ...debian(name, "tests of the agents' roles"), isForSome: true }));

const forSome = has("dpkg") ? roles : [];
export const goTests: Need[] = [go, compiler, libc, openssl, envoy, ...forSome];
export const generators: Need[] = [go, ...forSome.filter(({ name }) => /clang|llvm|libbpf/.test(name))];
export const schemathesis: Need[] = [python];
export const clients: Need[] = [python, go, ...java];
export const cloud: Need[] = [python];
/** What test nodes need besides the programs that are built for them. Not every machine can provide it. */
const ofNodes: Need[] = [
  {
    ...{ name: "root on Linux", for: "nodes that run containers", packages: [], cure: "run it as root" },
    isMet: () => process.platform === "linux" && process.getuid?.() === 0,
  },
  debian("runc", "nodes that run containers", () => has("runc")),
  debian("containernetworking-plugins", "nodes that run containers", () => existsSync("/usr/lib/cni/bridge")),
  debian("iproute2", "nodes that run containers", () => has("ip")),
  debian("nftables", "nodes that run containers", () => has("nft")),
  debian("nginx", "a TLS server in pods", () => existsSync("/usr/sbin/nginx")),
  openssl,
];
/** systemd checks the agent's unit. Its programs need no running systemd. */
export const systemd: Need = {
  ...debian("systemd", "the agent's service", () => has("systemd-analyze")),
  isForSome: true,
};
export const redis: Need[] = [debian("redis-server", "a client of a Redis Cluster", () => has("redis-server"))];
export const kubelets: Need[] = [go, ...redis, ...ofNodes.map((need) => ({ ...need, isForSome: true }))];
