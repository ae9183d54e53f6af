import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { freePort } from "@fairlead/db/free-port";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { living, Product, removeFolder, scratchFolder, until } from "./testing/product.ts";

const folder = scratchFolder();
const data = path.join(folder, "data");
let port = 0;

beforeAll(async () => {
  port = await freePort();
});
afterAll(() => removeFolder(folder));

describe("npm start", () => {
  it("starts from an empty data folder, and leaves no process behind at Ctrl-C", async () => {
    const product = new Product(data, port);
    await product.ready();
    expect(await status(`${product.url}/readyz`)).toBe(200);
    expect(product.output).toContain("Sign in as owner@example.test");
    const children = product.children();
    expect(living(children).sort()).toEqual(["agent", "controller", "database", "web"]);

    await product.stop();
    expect(living(children)).toEqual([]);
    expect(await product.ended).toBe(0);
  });

  it("keeps its secrets readable only by its owner and out of its output", async () => {
    const product = new Product(data, port);
    await product.ready();
    await product.stop();
    const secrets = ["secret", "postgres-password"].map((name) => readFileSync(path.join(data, name), "utf8").trim());
    const printed = logsOf(data);
    for (const secret of [...secrets, "correct-Horse-7"]) {
      expect(product.output).not.toContain(secret);
      expect(printed).not.toContain(secret);
    }
  });

  it("keeps the generated password, and the agent's token, out of every log", async () => {
    const fresh = path.join(folder, "fresh");
    const unattended = { FAIRLEAD_ADMIN_EMAIL: undefined, FAIRLEAD_ADMIN_PASSWORD: undefined };
    const product = new Product(fresh, port, unattended);
    await product.ready();
    const environment = readFileSync(`/proc/${product.child("agent").process.pid}/environ`, "utf8");
    const token = /FAIRLEAD_TOKEN=(fl1_[\w-]+)/.exec(environment)?.[1] ?? "";
    expect(token).toMatch(/^fl1_/);
    await until(() => logsOf(fresh).includes("enrolled"), 20_000);
    await product.stop();
    const [, password = ""] = readFileSync(path.join(fresh, "first-owner.txt"), "utf8").split("\n");
    expect(password.length).toBeGreaterThan(8);
    expect(product.output).toContain(password);
    expect(product.output).not.toContain(token);

    const again = new Product(fresh, port, unattended);
    await again.ready();
    await again.stop();
    for (const text of [logsOf(fresh), again.output]) {
      expect(text).not.toContain(password);
      expect(text).not.toContain(token);
    }
  });

  it("accepts other machines under the configured names", async () => {
    const product = new Product(data, port, {
      HOST: "0.0.0.0",
      FAIRLEAD_URL: "http://fairlead.example:8080",
      FAIRLEAD_GATEWAY_URL: "https://agents.example:7443",
    });
    await product.ready();
    expect(product.output).toContain("Fairlead is ready at http://fairlead.example:8080");
    const send = (where: string, body: object, cookie = "") =>
      fetch(`${product.url}/api/${where}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: product.url, cookie },
        body: JSON.stringify(body),
      });
    const signedIn = await send("auth/sign-in/email", { email: "owner@example.test", password: "correct-Horse-7" });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0];
    const cluster = await send("v1/clusters", { name: "elsewhere", kind: "machines" }, cookie);
    const { id: clusterId } = (await cluster.json()) as { id: string };
    const token = (await (await send("v1/enrollment-tokens", { clusterId }, cookie)).json()) as { command: string };
    expect(token.command).toContain("https://agents.example:7443");
    expect((await send("auth/sign-out", {}, cookie)).status).toBe(200);
    await product.stop();
  });

  it("restricts the cost calculator to members if configured", async () => {
    const product = new Product(data, port, { FAIRLEAD_CALCULATOR: "members" });
    await product.ready();
    const page = `${product.url}/calculator?averageMbps=25`;
    const estimate = (cookie = "") =>
      fetch(`${product.url}/api/v1/cost/estimate`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: product.url, cookie },
        body: JSON.stringify({ profile: { averageMbps: 25 } }),
      });
    const anonymous = await fetch(page, { redirect: "manual" });
    expect(anonymous.headers.get("location")).toContain(
      `/sign-in?returnTo=${encodeURIComponent("/calculator?averageMbps=25")}`,
    );
    expect((await estimate()).status).toBe(401);
    const signedIn = await fetch(`${product.url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: product.url },
      body: JSON.stringify({ email: "owner@example.test", password: "correct-Horse-7" }),
    });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect((await estimate(cookie)).status).toBe(200);
    const members = await fetch(page, { redirect: "manual", headers: { cookie } });
    expect(members.status).toBe(200);
    expect(await members.text()).toContain("Load balancer costs");
    await product.stop();
  });

  it.each(["launcher", "both halves of the launcher"])("takes over the remains of a killed %s", async (which) => {
    const first = new Product(data, port);
    await first.ready();
    const children = first.children();
    const record = JSON.parse(readFileSync(path.join(data, "instance.json"), "utf8")) as { launcher: { pid: number } };
    process.kill(record.launcher.pid, "SIGKILL");
    if (which !== "launcher") first.launcher.kill("SIGKILL");
    await first.ended;
    expect(living(children)).toContain("database");

    const second = new Product(data, port);
    await second.ready();
    expect(living(children)).toEqual([]);
    expect(await status(`${second.url}/readyz`)).toBe(200);
    await second.stop();
  });

  it("stops everything when the npm process is killed", async () => {
    const product = new Product(data, port);
    await product.ready();
    const children = product.children();
    product.launcher.kill("SIGKILL");
    await until(() => living(children).length === 0, 20_000);
  });

  it("waits for a database that is slow to stop, prints why, and kills it at the second Ctrl-C", async () => {
    const product = new Product(data, port);
    await product.ready();
    const children = product.children();
    process.kill(product.child("database").process.pid, "SIGSTOP");
    product.launcher.kill("SIGINT");
    await until(() => product.output.includes("Ctrl-C again to skip this"), 15_000);
    expect(living(children)).toEqual(["database"]);
    product.launcher.kill("SIGINT");
    expect(await product.ended).toBe(0);
    expect(living(children)).toEqual([]);

    const again = new Product(data, port);
    await again.ready();
    await again.stop();
  });

  it.each(["web", "controller", "agent", "database"])("restarts the %s when it is killed", async (name) => {
    const product = new Product(data, port);
    await product.ready();
    const before = product.child(name).process.pid;
    process.kill(before, "SIGKILL");
    await until(() => product.children().some((child) => child.name === name && child.process.pid !== before), 30_000);
    await until(async () => (await status(`${product.url}/readyz`)) === 200, 60_000);
    await product.stop();
  });
});

describe("npm start rejects with one message", () => {
  it("a second instance on the same data", async () => {
    const first = new Product(data, port);
    await first.ready();
    const second = new Product(data, await freePort());
    expect(await second.ended).toBe(1);
    expect(second.output).toContain(`Fairlead already runs on ${data}`);
    expect(await status(`${first.url}/readyz`)).toBe(200);
    await first.stop();
  });

  it("a port that is taken", async () => {
    const other = createServer().listen(port, "127.0.0.1");
    const product = new Product(data, port);
    expect(await product.ended).toBe(1);
    other.close();
    expect(product.output).toContain(`Port ${port} on 127.0.0.1 is taken by another program`);
  });

  it("a data folder that can't be written", async () => {
    const product = new Product("/dev/null/data", port);
    expect(await product.ended).toBe(1);
    expect(product.output).toContain("The data folder /dev/null/data can't be written");
    expect(product.output).toContain("FAIRLEAD_DATA=");
  });

  it("a PostgreSQL that does not answer, without showing its password", async () => {
    const silent = await freePort();
    const product = new Product(path.join(folder, "other"), port, {
      DATABASE_URL: `postgresql://me:hidden-word@127.0.0.1:${silent}/db`,
    });
    expect(await product.ended).toBe(1);
    expect(product.output).toContain(`The PostgreSQL at 127.0.0.1:${silent}/db can't be used`);
    expect(product.output).not.toContain("hidden-word");
  });

  it("a secret that its database was not set up with", async () => {
    const another = { FAIRLEAD_SECRET: "the-secret-of-another-data-folder!", PATH: path.dirname(process.execPath) };
    const product = new Product(data, port, another);
    expect(await product.ended).toBe(1);
    expect(product.output).toMatch(/^A stored secret was sealed with another FAIRLEAD_SECRET than this one;.*$/m);
    expect(product.output).not.toContain("    at ");
  });

  it("half of the first owner's account", async () => {
    const product = new Product(path.join(folder, "other"), port, { FAIRLEAD_ADMIN_PASSWORD: "" });
    expect(await product.ended).toBe(1);
    expect(product.output).toContain("Set both FAIRLEAD_ADMIN_EMAIL and FAIRLEAD_ADMIN_PASSWORD");
  });
});

describe("npm start without Go", () => {
  it("runs the dashboard, and prints why there is no agent", async () => {
    const product = new Product(data, port, { PATH: path.dirname(process.execPath), FAIRLEAD_LAB: undefined });
    await product.ready();
    expect(product.output).toContain("Go is not installed: the agent and the demo lab are not started");
    expect(living(product.children()).sort()).toEqual(["controller", "database", "web"]);
    await product.stop();
  });
});

function logsOf(dataFolder: string): string {
  return ["web", "controller", "agent", "database"]
    .map((name) => readFileSync(path.join(dataFolder, "logs", `${name}.log`), "utf8"))
    .join("\n");
}

async function status(url: string): Promise<number> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).status;
  } catch {
    return 0;
  }
}
