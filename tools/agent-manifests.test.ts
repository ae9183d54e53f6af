import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

// No cluster is needed here: these tests compare the manifests of agents with their guides and with the agent's sources.
const root = path.resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

type Mount = { name: string; mountPath: string; readOnly?: boolean };
type Probe = { httpGet: { host: string; port: number; path: string } };
type Container = {
  image: string;
  args: string[];
  env: { name: string; value?: string; valueFrom?: object }[];
  volumeMounts: Mount[];
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  securityContext: { privileged?: boolean; capabilities?: { add: string[]; drop: string[] } };
};
type PodSpec = {
  hostNetwork: boolean;
  hostPID: boolean;
  automountServiceAccountToken: boolean;
  containers: [Container];
  volumes: { name: string; hostPath?: { path: string; type: string }; secret?: { secretName: string } }[];
};
type KubernetesObject = { kind: string; metadata: { name: string; namespace?: string } };

const manifests = [
  { role: "adaptive", guide: "docs/guides/adaptive.md" },
  { role: "backend", guide: "docs/guides/tls-sessions.md" },
] as const;
const filling = { IMAGE: "registry.example/agent:1", GATEWAY: "https://gateway.example:7443", TOKEN: "fl1_secret" };

/** fill runs the command of a guide, up to kubectl. */
function fill(role: string, guide: string): string {
  const command = read(guide)
    .split("\n")
    .find((line) => line.includes(`deploy/agent/${role}.yaml | kubectl apply -f -`));
  const [first = ""] = (command ?? "").split("| kubectl");
  return execFileSync("sh", ["-c", first], { cwd: root, env: { ...process.env, ...filling }, encoding: "utf8" });
}

function podSpec(role: string): PodSpec {
  const [, , set] = parseAllDocuments(read(`deploy/agent/${role}.yaml`)).map((each) => each.toJS());
  return set.spec.template.spec as PodSpec;
}

describe.each(manifests)("the manifest of agents of the role $role", ({ role, guide }) => {
  const spec = podSpec(role);
  const [container] = spec.containers;
  const flags = new Map(container.args.slice(1).map((each) => each.replace(/^--/, "").split("=") as [string, string]));

  it("is complete once the command of its guide has filled it", () => {
    const objects = parseAllDocuments(fill(role, guide)).map((each) => each.toJS());
    expect(objects.map(({ kind, metadata }: KubernetesObject) => [kind, metadata.namespace, metadata.name])).toEqual([
      ["Namespace", undefined, "fairlead"],
      ["Secret", "fairlead", `fairlead-${role}`],
      ["DaemonSet", "fairlead", `fairlead-${role}`],
    ]);
    const [, secret, set] = objects;
    expect(secret.stringData).toEqual({ token: filling.TOKEN });
    const [{ image, env }] = (set.spec.template.spec as PodSpec).containers;
    expect(image).toBe(filling.IMAGE);
    expect(env.find((each) => each.name === "FAIRLEAD_CONTROL_PLANE")?.value).toBe(filling.GATEWAY);
    expect(JSON.stringify(set)).not.toMatch(/IMAGE|TOKEN|"CONTROL_PLANE"|fl1_secret/);
  });

  it("starts the role with settings that the agent has", () => {
    expect(container.args[0]).toBe(role);
    const settings = read("agents/cmd/fairlead-agent/settings.go");
    const used = [
      ...[...flags.keys()].map((flag) => `"${flag}"`),
      ...container.env.map(({ name }) => `getenv("${name}")`),
    ];
    expect(used.filter((each) => !settings.includes(each))).toEqual([]);
  });

  it("names the agent like its node, and reads the token from the Secret", () => {
    const name = container.env.find((each) => each.name === "FAIRLEAD_NODE");
    expect(name?.valueFrom).toEqual({ fieldRef: { fieldPath: "spec.nodeName" } });
    expect(flags.get("token-file")).toBe("/token/token");
    expect(hostPathOf("/token")).toEqual({ secretName: `fairlead-${role}` });
    expect(spec.automountServiceAccountToken).toBe(false);
  });

  it("keeps identity and programs on the node, and mounts nothing that isn't there", () => {
    expect(spec.volumes.map((each) => each.name).sort()).toEqual(
      container.volumeMounts.map((each) => each.name).sort(),
    );
    expect(hostPathOf("/var/lib/fairlead-agent")).toEqual({
      path: `/var/lib/fairlead-${role}`,
      type: "DirectoryOrCreate",
    });
    expect(hostPathOf("/sys/fs/bpf")).toEqual({ path: "/sys/fs/bpf", type: "Directory" });
  });

  it("is on the network and among the processes of its node", () => {
    expect([spec.hostNetwork, spec.hostPID]).toEqual([true, true]);
  });

  function hostPathOf(mountPath: string): object | undefined {
    const { name } = container.volumeMounts.find((each) => each.mountPath === mountPath) ?? {};
    const volume = spec.volumes.find((each) => each.name === name);
    return volume?.hostPath ?? volume?.secret;
  }
});

describe("the manifest of agents of the role adaptive", () => {
  const spec = podSpec("adaptive");
  const [{ args, securityContext, volumeMounts, readinessProbe, livenessProbe }] = spec.containers;

  it("has only the capabilities that the guide lists", () => {
    expect(securityContext.privileged).toBeUndefined();
    expect(securityContext.capabilities?.drop).toEqual(["ALL"]);
    const [, listed = ""] =
      /\*\*Privileges\.\*\* The capabilities (.*?), the node's/.exec(read("docs/guides/adaptive.md")) ?? [];
    expect(securityContext.capabilities?.add).toEqual([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  });

  it("distributes the connections of the node's cgroup, not those of the pod", () => {
    const { name, mountPath, readOnly } =
      volumeMounts.find((each) => args.includes(`--cgroup=${each.mountPath}`)) ?? {};
    expect(mountPath).not.toBe("/sys/fs/cgroup");
    expect(readOnly).toBe(true);
    expect(spec.volumes.find((each) => each.name === name)?.hostPath?.path).toBe("/sys/fs/cgroup");
  });

  it("is probed for readiness and for life where it serves its pages to its own host", () => {
    const pages = read("agents/internal/adaptive/connect_linux.go");
    for (const [probe, page] of [
      [readinessProbe, "/readyz"],
      [livenessProbe, "/metrics"],
    ] as const) {
      expect(probe?.httpGet).toEqual({ host: "127.0.0.1", port: expect.any(Number), path: page });
      expect(args).toContain(`--metrics-listen=127.0.0.1:${probe?.httpGet.port}`);
      expect(pages).toContain(`"${page}":`);
    }
  });
});
