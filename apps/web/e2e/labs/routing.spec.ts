import { startLab } from "../support/lab.ts";
import { create, remove } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test("a cluster with routing announces working addresses, and the routing page shows where the routes arrive", async ({
  page,
  request,
}) => {
  test.setTimeout(300_000);
  const lab = await startLab(request, "r", { byBgp: true });
  try {
    await page.goto(`/routing?cluster=${lab.clusterId}`);
    await expect(page.getByRole("heading", { name: "No BGP routing yet" })).toBeVisible();
    await page.getByRole("link", { name: "Set up routing" }).click();
    await page.getByRole("region", { name: "Routing" }).getByRole("button", { name: "Set up" }).click();
    const form = page.getByRole("dialog", { name: /^Routing of/ });
    await form.getByLabel("Balancer networks").fill("10.64.0.0/16");
    await form.getByLabel("Reflectors").fill("rr-1 10.64.0.201\nrr-2");
    await form.getByLabel("Routers").fill("router 10.64.0.1");
    await form.getByLabel("Hold time").fill("2");
    await form.getByText("Advanced").click();
    await form.getByLabel("Maximum routes").fill("many");
    await form.getByLabel("Communities").fill("65021:100 65021");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByLabel("Maximum routes")).toHaveAccessibleDescription(/Enter a whole number/);
    await expect(form.getByLabel("Communities")).toHaveAccessibleDescription(/Enter two numbers up to 65535/);
    await form.getByLabel("Maximum routes").fill("50");
    await form.getByLabel("Communities").fill("65021:100");
    await expect(form.getByLabel("Reflectors")).toHaveAccessibleDescription(/IPv4 or IPv6 address/);
    await expect(form.getByLabel("Hold time")).toHaveAccessibleDescription(/3 seconds at least/);
    await form.getByLabel("Reflectors").fill("rr-1 10.64.0.201\nrr-2 10.64.0.202");
    await form.getByLabel("Hold time").fill("3");
    await form.getByRole("textbox", { name: "Password" }).fill("known-to-peers");
    await form.getByLabel("MED").fill("7");
    await form.getByLabel("Keepalive").fill("2");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByLabel("Keepalive")).toHaveAccessibleDescription(/A third of the hold time at most, 1 s;/);
    await form.getByLabel("Keepalive").fill("1");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form).toBeHidden();
    const routing = page.getByRole("region", { name: "Routing" });
    await expect(routing).toContainText("a password (TCP MD5)");
    await routing.getByText("Configuration of external routers").click();
    await expect(routing.getByText("router bgp 65021")).toBeVisible();
    const written = routing.getByRole("region", { name: /^Configuration for / });
    await expect(written).toContainText("neighbor FAIRLEAD password REPLACE-WITH-THE-PASSWORD");
    await expect(routing.getByRole("list", { name: "Before you load it" })).toContainText("Replace the placeholder");
    await routing.getByLabel("Software").selectOption({ label: "BIRD" });
    await expect(written).toContainText("neighbor 10.64.0.202 as 65021;");
    await routing.getByLabel("Software").selectOption({ label: "Junos" });
    await expect(routing.getByRole("listitem").filter({ hasText: "Not tested on a router" })).toBeVisible();
    await routing.getByLabel("Role").selectOption({ label: "Reflector, which forwards routes of balancers" });
    await expect(routing.getByLabel("Software")).toHaveValue("frr");
    await routing.getByLabel("Reflector", { exact: true }).selectOption("rr-2");
    await expect(written).toContainText("bgp cluster-id 10.64.0.202");
    await expect(written).toContainText("bgp listen range 10.64.0.0/16 peer-group BALANCERS");
    await routing.getByLabel("Role").selectOption({ label: "Host with its own services" });
    await expect(routing.getByText("Enter the address of the host.")).toBeVisible();
    await routing.getByLabel("Host address").fill("10.64.0.50");
    await routing.getByLabel("Software").selectOption({ label: "ExaBGP" });
    await expect(written).toContainText("local-address 10.64.0.50;");
    await expect(written).toContainText("local-preference 100 med 7 community [ 65021:100 ];");
    await expect(page.locator("body")).not.toContainText("known-to-peers");

    const { id } = await create(request, "exposures", {
      clusterId: lab.clusterId,
      name: "web",
      workload: { namespace: "default", kind: "deployment", name: "web" },
      ports: [{ port: 80, protocol: "tcp" }],
      healthCheck: { type: "http", path: "/healthz", intervalMs: 500 },
      strategy: { type: "ecmp", replicas: 2, poolId: lab.poolId },
    });
    await routing.getByRole("link", { name: "View routing" }).click();
    const announced = page.getByRole("table", { name: "Announcements", exact: true });
    const routes = page.getByRole("table", { name: "Routes" });
    await expect(announced.getByText("Announced")).toHaveCount(2, { timeout: 60_000 });
    const half = /weight 1 · 50 % of new flows/;
    await expect(routes.getByRole("listitem")).toHaveText([half, half], { timeout: 30_000 });
    // The traffic that balancers measure. It appears with the next reports.
    const measured = /bit\/s, \d+ % of traffic/;
    await expect(routes.getByRole("listitem")).toHaveText([measured, measured], { timeout: 60_000 });
    await expect(async () => {
      const [{ nextHops }] = (await (await request.get(`/api/v1/routes?clusterId=${lab.clusterId}`)).json()).items;
      const shares = nextHops.map(({ measuredShare }: { measuredShare: number | null }) => measuredShare ?? 0);
      expect(shares.reduce((sum: number, share: number) => sum + share, 0)).toBeCloseTo(1);
      expect(Math.min(...shares)).toBeGreaterThan(0);
    }).toPass({ timeout: 30_000 });
    await expect(page.getByText("All 6 BGP sessions are up")).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole("region", { name: "Topology" })).toContainText("6 sessions, all up.");

    const search = page.getByRole("textbox", { name: "Look up an address or a prefix" });
    await search.fill("203.0.113.99");
    await expect(page.getByText("No balancer announces 203.0.113.99.")).toBeVisible();
    await expect(page.getByText("Our routers have no route to 203.0.113.99.")).toBeVisible();
    await search.fill("203.0.113.0/24");
    await expect(page.getByText("No balancer announces 203.0.113.0/24.")).toBeVisible();
    await search.fill("203.0.113.0/33");
    await expect(page.getByText("Enter an address, such as")).toBeVisible();
    await search.fill("203.0.113.1/32");
    await expect(announced.getByText("203.0.113.1/32")).toHaveCount(2);
    await expect(page.getByRole("region", { name: "Timeline" })).toContainText("Events that mention 203.0.113.1/32");
    await search.fill("203.0.113.1");
    await expect(announced.getByText("203.0.113.1/32")).toHaveCount(2);

    // Queried from the agents themselves, through the gateway and back.
    for (const [agent, best] of [
      ["rr-1", 2],
      ["rr-2", 2],
      ["router", 4], // each reflector advertises both balancers
    ] as const) {
      const table = page.getByRole("table", { name: `Routes at ${agent}` });
      await expect(table.getByText("Best", { exact: true })).toHaveCount(best, { timeout: 15_000 });
    }
    await page.getByLabel("Agent table").selectOption({ label: "node-1 · speaker" });
    await expect(page.getByRole("table", { name: "Routes at node-1" })).toContainText("local");
    await page.getByLabel("Agent table").selectOption({ label: "All reflectors and routers" });

    const exposure = await page.context().newPage();
    await exposure.goto(`/exposures/${id}`);
    await expect(exposure.getByText(/includes Fairlead's own probes, \d+ a second per replica/).first()).toBeVisible();
    await exposure.close();

    lab.fault("freeze lb-1");
    await expect(announced.getByText("Not announced", { exact: true })).toHaveCount(1, { timeout: 30_000 });
    await expect(announced).toContainText("the probe has been failing since");
    await expect(routes.getByRole("listitem")).toHaveText([/^node-2.*100 % of new flows/], { timeout: 30_000 });
    await expect(page.getByText("1 of 2 announcements is withdrawn")).toBeVisible();
    await expect(page.getByRole("region", { name: "Timeline" })).toContainText("NotAnnounced");
    const delays = page.getByRole("region", { name: "Update delays" });
    const converge = delays.getByRole("table", { name: "Announced to kernel: how long updates took" });
    await expect(converge.getByRole("row", { name: /^Announced 2 / })).toBeVisible({ timeout: 30_000 });
    await expect(converge.getByRole("row", { name: /^Withdrawn 1 / })).toBeVisible({ timeout: 30_000 });
    const updates = page.getByRole("table", { name: "Updates" });
    await expect(updates.getByRole("row", { name: /removed: node-1/ })).toHaveCount(1);
    const [withdrawal] = (
      await (await request.get(`/api/v1/route-updates?clusterId=${lab.clusterId}&covers=203.0.113.1`)).json()
    ).items;
    expect(withdrawal).toMatchObject({ nodeName: "node-1", isWithdrawal: true });
    expect(withdrawal.phasesMs.notice).toBeGreaterThan(100); // three probes
    expect(withdrawal.phasesMs.converge).toBeLessThan(1_000);
    lab.fault("thaw lb-1");

    // A router address without a router: its session was never up, and shows the reason.
    const cluster = `/api/v1/clusters/${lab.clusterId}`;
    const { routing: stored } = (await (await request.get(cluster)).json()) as { routing: { routers: object[] } };
    const { hasPassword: _, ...spec } = stored as typeof stored & { hasPassword: boolean };
    const ghost = { name: "ghost", address: "10.64.0.250", asn: 65021 };
    const answer = await request.patch(cluster, {
      data: { routing: { ...spec, routers: [...stored.routers, ghost] } },
    });
    expect(answer.status(), await answer.text()).toBe(200);
    const neverUp = page.getByRole("table", { name: "BGP sessions" }).getByRole("row").filter({ hasText: "ghost" });
    await expect(neverUp.first()).toContainText("the peer has not answered", { timeout: 90_000 });
    await request.patch(cluster, { data: { routing: spec } });
    await expect(neverUp).toHaveCount(0, { timeout: 30_000 });

    // A silent speaker: its sessions no longer count as up.
    lab.fault("freeze lb-2.speaker");
    const sessions = page.getByRole("table", { name: "BGP sessions" });
    const silent = sessions.getByRole("row").filter({ hasText: "speaker" }).filter({ hasText: "node-2" });
    await expect(silent.first()).toContainText("Was up", { timeout: 60_000 });
    await expect(page.getByRole("region", { name: "Topology" })).toContainText("stale", { timeout: 30_000 });
    await expect(page.getByText(/BGP sessions? (is|are) stale/)).toBeVisible();
    lab.fault("thaw lb-2.speaker");
    await expect(page.getByText("All 6 BGP sessions are up")).toBeVisible({ timeout: 60_000 });
    await expect(routes.getByRole("listitem")).toHaveCount(2, { timeout: 60_000 });
    await remove(request, "exposures", id);
    // Its connections drain for a minute.
    await expect
      .poll(async () => (await request.get(`/api/v1/exposures/${id}`)).status(), { timeout: 100_000 })
      .toBe(404);
  } finally {
    await lab.stop();
  }
  await lab.forget(page);
});
