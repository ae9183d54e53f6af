import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

// No container engine is needed here: these hold the container files to the sources they speak of.
const root = path.resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

type Service = {
  image?: string;
  build?: { dockerfile: string };
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
  volumes?: string[];
  restart?: string;
  network_mode?: string;
};
const compose = parse(read("docker-compose.yml"), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(compose.services);
const dockerfiles = readdirSync(path.join(root, "deploy")).filter((file) => file.endsWith(".Dockerfile"));

describe("docker-compose.yml", () => {
  it("runs postgres, web, controller and agent", () => {
    expect(Object.keys(compose.services).sort()).toEqual(["agent", "controller", "migrate", "postgres", "web"]);
  });

  it("builds from Dockerfiles that exist", () => {
    const missing = services.flatMap(([, { build }]) =>
      build && !existsSync(path.join(root, build.dockerfile)) ? [build.dockerfile] : [],
    );
    expect(missing).toEqual([]);
  });

  it("gives web and controller every variable that they insist on", () => {
    for (const [name, file] of [
      ["web", "apps/web/src/env.ts"],
      ["controller", "apps/controller/src/env.ts"],
    ] as const) {
      const given = Object.keys(compose.services[name]?.environment ?? {});
      for (const variable of ["DATABASE_URL", "FAIRLEAD_SECRET"]) {
        expect(read(file)).toContain(variable);
        expect(given).toContain(variable);
      }
      const unknown = given.filter(
        (variable) =>
          !read("apps/web/src/env.ts").includes(variable) && !read("apps/controller/src/env.ts").includes(variable),
      );
      expect(unknown).toEqual([]);
    }
  });

  it("starts web and controller only on a migrated database", () => {
    for (const name of ["web", "controller"])
      expect(compose.services[name]?.depends_on).toEqual({ migrate: { condition: "service_completed_successfully" } });
    expect(compose.services.migrate?.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
  });

  it("mounts only volumes that it declares, and opens ports on loopback only", () => {
    const mounted = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(":")[0]));
    const named = mounted.filter((volume) => volume && !volume.startsWith("/"));
    expect(named.filter((volume) => volume && !(volume in compose.volumes))).toEqual([]);
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.filter((port) => !/^(\$\{FAIRLEAD_LISTEN:-127\.0\.0\.1\}|127\.0\.0\.1):/.test(port))).toEqual([]);
  });

  it("lets this machine, and no other, ask the controller for its figures and its health", () => {
    const { environment = {}, ports } = compose.services.controller ?? {};
    // Its own loopback is inside the container, where no published port leads.
    expect(environment.FAIRLEAD_CONTROLLER_METRICS_HOST).toBe("0.0.0.0");
    expect(ports).toContain(`127.0.0.1:7444:${environment.FAIRLEAD_CONTROLLER_METRICS_PORT}`);
  });

  it("tells agents an address that they can dial from outside, at a port that is open there", () => {
    const url =
      /:-(https:[^}]+)\}/.exec(compose.services.controller?.environment?.FAIRLEAD_GATEWAY_URL ?? "")?.[1] ?? "";
    const { hostname, port } = new URL(url);
    expect(Object.keys(compose.services)).not.toContain(hostname);
    expect(compose.services.controller?.ports?.some((each) => each.endsWith(`:${port}`))).toBe(true);
    expect(compose.services.agent?.environment?.FAIRLEAD_CONTROL_PLANE).toBe(url);
  });

  it("has an agent that comes back, and tells of the machine rather than of its image", () => {
    expect(compose.services.agent).toMatchObject({ restart: "unless-stopped", network_mode: "host" });
    expect(compose.services.agent?.volumes).toContain("/etc/os-release:/etc/os-release:ro");
  });

  it("keeps secrets in a file that no image is built with", () => {
    expect(read("docker-compose.yml")).toMatch(/> \.env$/m);
    const ignored = read(".dockerignore").split("\n");
    expect(ignored).toContain("**/.env*");
    expect(ignored.filter((line) => line.startsWith("!"))).toEqual([]);
  });

  it("has no secret of its own", () => {
    const secrets = [...read("docker-compose.yml").matchAll(/\$\{(\w*(?:SECRET|PASSWORD|TOKEN)\w*)(:[-?]?)([^}]*)\}/g)];
    expect(secrets.length).toBeGreaterThan(3);
    for (const [text, , how, what] of secrets) expect(how === ":?" || what === "", text).toBe(true);
  });
});

describe.each(dockerfiles)("deploy/%s", (file) => {
  const text = read(`deploy/${file}`);

  it("copies and starts only what is there", () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) => (match[1] ?? "").split(" "));
    const started = [...text.matchAll(/"((?:apps|packages)\/[^"]+\.ts)"/g)].flatMap((match) =>
      match[1] ? [match[1]] : [],
    );
    expect([...copied, ...started].filter((each) => !existsSync(path.join(root, each)))).toEqual([]);
  });

  it("opens only ports that something listens at from outside", () => {
    const listening = { "web.Dockerfile": ["3000"], "controller.Dockerfile": ["7443"], "agent.Dockerfile": [] };
    const exposed = [...text.matchAll(/^EXPOSE (.+)$/gm)].flatMap((match) => (match[1] ?? "").split(" "));
    expect(exposed).toEqual(listening[file as keyof typeof listening]);
  });

  it("does not run as root where the base lets it choose", () => {
    if (text.includes("FROM node:")) expect(text).toMatch(/^USER node$/m);
  });

  it("is built on the versions that the project pins", () => {
    const node = (
      JSON.parse(read("package.json")) as { devDependencies: Record<string, string> }
    ).devDependencies.node?.split(".")[0];
    const go = /^go (\d+\.\d+)/m.exec(read("agents/go.mod"))?.[1];
    for (const [, image, version] of text.matchAll(/^FROM (node|golang):([\d.]+)/gm))
      expect(version).toBe(image === "node" ? node : go);
  });
});
