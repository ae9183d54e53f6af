import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

// The script with a server of its own, for what a running product can't show: damaged files and upgrades. A browser test
// installs from the product.
const deploy = path.resolve(import.meta.dirname, "../../deploy/agent");
const unit = "fairlead-agent@.service";
const ticketKeys = "fairlead-agent@backend.service.d/ticket-keys.conf";
const gateway = "https://gateway.example:7443";
const token = "fl1_abc-DEF_123";

const files = new Map<string, string>();
/** Checksums that differ from the files. */
const wrong = new Map<string, string>();
/** Files that are being built: how often to answer so. */
const building = new Map<string, number>();
let downloads: string[] = [];

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

let server: Server;
let url = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    const [, name = "", sum] = /^\/download\/agent\/([^/?]+)(\/sha256)?/.exec(request.url ?? "") ?? [];
    const waits = building.get(name) ?? 0;
    const content = files.get(name);
    if (waits > 0) {
      building.set(name, waits - 1);
      response.writeHead(503, { "retry-after": "1" }).end("It is being built.\n");
    } else if (content === undefined) response.writeHead(404).end("There is no such file.\n");
    else if (sum) response.end(`${wrong.get(name) ?? digest(content)}  ${name}\n`);
    else {
      downloads.push(name);
      response.end(content);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "fairlead-install-"));
  for (const map of [files, wrong, building]) map.clear();
  downloads = [];
  for (const platform of ["linux-amd64", "linux-arm64"]) files.set(platform, program("1.0.0"));
  files.set("fairlead-agent.service", readFileSync(path.join(deploy, unit), "utf8"));
  files.set("ticket-keys.conf", readFileSync(path.join(deploy, ticketKeys), "utf8"));
});
afterEach(() => rmSync(root, { recursive: true }));

const program = (version: string) => `#!/bin/sh\necho "fairlead-agent ${version}"\n`;
const at = (file: string) => path.join(root, file);
const settings = (role: string) =>
  readFileSync(at(`etc/fairlead-agent/${role}.env`), "utf8")
    .trim()
    .split("\n");
const mode = (file: string) => (statSync(at(file)).mode & 0o777).toString(8);

/** install pipes the script into sh, as the command of the dashboard does, in a session without a terminal. */
function install(args: string[], env: Record<string, string> = { FAIRLEAD_TOKEN: token }) {
  const script = readFileSync(path.join(deploy, "install.sh"), "utf8")
    .replace("url=''", `url='${url}'`)
    .replace("control_plane=''", `control_plane='${gateway}'`);
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn("sh", ["-s", "--", ...args], {
      detached: true,
      env: { PATH: process.env.PATH ?? "", DESTDIR: root, ...env },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.once("close", (code) => resolve({ code, output }));
    child.stdin.end(script);
  });
}

describe("install.sh", () => {
  it("installs the agent, its unit, and settings that only their owner can read", async () => {
    const { code, output } = await install(["node", "--node-name", "rack-3"]);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("fairlead-agent 1.0.0") });
    expect(output).not.toContain(token);
    expect(settings("node")).toEqual([
      `FAIRLEAD_CONTROL_PLANE=${gateway}`,
      `FAIRLEAD_TOKEN=${token}`,
      "FAIRLEAD_NODE=rack-3",
    ]);
    expect([mode("etc/fairlead-agent"), mode("etc/fairlead-agent/node.env")]).toEqual(["700", "600"]);
    expect([mode("usr/local/bin/fairlead-agent"), mode(`etc/systemd/system/${unit}`)]).toEqual(["755", "644"]);
  });

  it("upgrades when it runs again: keeps token, name and added lines, and downloads only what changed", async () => {
    await install(["node", "--node-name", "rack-3"]);
    const before = settings("node");
    writeFileSync(at("etc/fairlead-agent/node.env"), [...before, "FAIRLEAD_LOG=json", ""].join("\n"));
    downloads = [];
    expect(await install(["node"], {})).toMatchObject({ code: 0 });
    expect(downloads).toEqual([]);

    for (const platform of ["linux-amd64", "linux-arm64"]) files.set(platform, program("1.1.0"));
    const { output } = await install(["node"], { FAIRLEAD_TOKEN: "fl1_new" });
    expect(output).toContain("fairlead-agent 1.1.0");
    expect(downloads).toEqual([expect.stringMatching(/^linux-/)]);
    expect(settings("node")).toEqual([
      `FAIRLEAD_CONTROL_PLANE=${gateway}`,
      "FAIRLEAD_TOKEN=fl1_new",
      "FAIRLEAD_NODE=rack-3",
      "FAIRLEAD_LOG=json",
    ]);
    expect(readdirSync(at("usr/local/bin"))).toEqual(["fairlead-agent"]);
  });

  it("gives each role its own settings, so that a balancer and its speaker share a machine", async () => {
    await install(["balancer", "--interface", "ens3"]);
    await install(["speaker", "--interface", "ens4"], { FAIRLEAD_TOKEN: "fl1_second" });
    expect(settings("balancer")).toEqual(
      expect.arrayContaining(["FAIRLEAD_INTERFACE=ens3", "FAIRLEAD_METRICS_LISTEN=127.0.0.1:9100"]),
    );
    expect(settings("speaker")).toEqual(
      expect.arrayContaining(["FAIRLEAD_INTERFACE=ens4", "FAIRLEAD_TOKEN=fl1_second"]),
    );
  });

  it("sets an interface only for roles that have one, whatever the environment contains", async () => {
    const env = { FAIRLEAD_TOKEN: token, has_interface: "yes" };
    for (const role of ["node", "backend", "adaptive"]) {
      expect(await install([role], env)).toMatchObject({ code: 0 });
      expect(settings(role).filter((each) => each.startsWith("FAIRLEAD_INTERFACE="))).toEqual([]);
    }
  });

  it("lets only the role backend write the ticket keys of servers", async () => {
    await install(["balancer", "--interface", "ens3"]);
    expect(readdirSync(at("etc/systemd/system"))).toEqual([unit]);
    await install(["backend"], { FAIRLEAD_TOKEN: "fl1_second" });
    expect(readFileSync(at(`etc/systemd/system/${ticketKeys}`), "utf8")).toBe(files.get("ticket-keys.conf"));
    expect(mode(`etc/systemd/system/${ticketKeys}`)).toBe("644");
  });

  it("waits for an agent that is being built", async () => {
    for (const platform of ["linux-amd64", "linux-arm64"]) building.set(platform, 2);
    const { code, output } = await install(["node"]);
    expect(output).toContain("This takes about a minute.");
    expect(code).toBe(0);
  });

  it("changes nothing if a checksum differs", async () => {
    await install(["node"]);
    for (const platform of ["linux-amd64", "linux-arm64"]) wrong.set(platform, digest("as published"));
    const { code, output } = await install(["node"], { FAIRLEAD_TOKEN: "fl1_new" });
    expect(code).toBe(1);
    expect(output).toContain("nothing was changed");
    expect(readFileSync(at("usr/local/bin/fairlead-agent"), "utf8")).toBe(program("1.0.0"));
    expect(settings("node")).toContain(`FAIRLEAD_TOKEN=${token}`);
  });

  it.each([
    ["an unknown role", ["nodes"], { FAIRLEAD_TOKEN: token }, 'there is no role "nodes"'],
    ["an unknown flag", ["node", "--token", "x"], { FAIRLEAD_TOKEN: token }, "usage: install.sh"],
    ["a flag without a value", ["node", "--node-name"], { FAIRLEAD_TOKEN: token }, "--node-name needs a value"],
    ["a name that isn't one", ["node", "--node-name", "a\nb"], { FAIRLEAD_TOKEN: token }, "a name may have letters"],
    ["a damaged token", ["node"], { FAIRLEAD_TOKEN: "fl1_$(id)" }, "is not an enrolment token"],
    ["plain http", ["node", "--control-plane", "http://a:1"], { FAIRLEAD_TOKEN: token }, "use the form https://host"],
    ["no token, and no terminal to ask", ["node"], {}, "set FAIRLEAD_TOKEN"],
  ] as const)("names the cure for %s, and installs nothing", async (_, args, env, message) => {
    const { code, output } = await install([...args], { ...env });
    expect(code).not.toBe(0);
    expect(output).toContain(message);
    expect(readdirSync(root)).toEqual([]);
  });
});

describe(unit, () => {
  it("is accepted by systemd, for each role", () => {
    // Units may name only programs that exist.
    const copy = readFileSync(path.join(deploy, unit), "utf8").replace("/usr/local/bin/fairlead-agent", "/bin/true");
    mkdirSync(path.dirname(at(ticketKeys)), { recursive: true });
    writeFileSync(at(ticketKeys), readFileSync(path.join(deploy, ticketKeys)));
    for (const role of ["node", "balancer", "speaker", "reflector", "router", "backend"]) {
      const file = at(unit.replace("@", `@${role}`));
      writeFileSync(file, copy);
      const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], {
        encoding: "utf8",
      });
      expect({ role, status, output: `${stdout}${stderr}` }).toEqual({ role, status: 0, output: "" });
    }
  });

  it("exposes less of the machine than a service without limits", () => {
    const { stdout, stderr } = spawnSync(
      "systemd-analyze",
      ["security", "--offline=yes", "--no-pager", "--threshold=55", path.join(deploy, unit)],
      { encoding: "utf8" },
    );
    const [, exposure] = /Overall exposure level for .*: (\d+\.\d+)/.exec(stdout) ?? [];
    expect(Number(exposure), stderr).toBeLessThan(5.5);
  });
});

// The largest build of this file comes last.
describe("build-for", () => {
  it.each([
    ["amd64", 0x3e],
    ["arm64", 0xb7],
  ])("builds for %s, the same bytes in every folder", (arch, machine) => {
    const builder = path.resolve(import.meta.dirname, "../../agents/build-for");
    const built = ["one", "two"].map((name) => {
      const { status, stderr } = spawnSync(builder, [arch, at(name)], { encoding: "utf8" });
      expect(status, stderr).toBe(0);
      return readFileSync(at(name));
    });
    expect(built[0]?.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
    expect(built[0]?.readUInt16LE(18)).toBe(machine);
    expect(built[0]?.equals(built[1] ?? Buffer.alloc(0))).toBe(true);
    // Without an interpreter, it runs on each distribution.
    expect(built[0]?.includes("/lib/ld-") || built[0]?.includes("/lib64/ld-")).toBe(false);
  });
});
