import { createTestVpc, startEc2Emulator, testCredentials } from "@fairlead/drivers/aws-testing";
import { startLab } from "../support/lab.ts";
import { leave } from "../support/leave.ts";
import { cloudUrl, ports } from "../support/product.ts";
import { create, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

// The browser logs every form request that the server rejects.
test.use({ allowedProblems: /status of 422/ });

test("a cloud route is set up in a form that marks invalid fields and never shows a key again", async ({
  page,
  request,
}) => {
  const { id } = await create(request, "clusters", { name: unique("cloud"), kind: "lab" });
  const table = "rtb-0a1b2c3d4e5f60718";
  await page.goto(`/clusters/${id}?tab=cloud`);
  const route = page.getByRole("region", { name: "Cloud route" });
  await expect(route).toContainText("If no router speaks BGP");
  await route.getByRole("button", { name: "Set up" }).click();
  const form = page.getByRole("dialog", { name: /^Cloud route of/ });
  const save = form.getByRole("button", { name: "Save" });
  const says = (label: string, words: RegExp) => expect(form.getByLabel(label)).toHaveAccessibleDescription(words);
  await form.getByLabel("Region").fill("Frankfurt");
  await form.getByLabel("Route tables").fill("main");
  await form.getByLabel("Access key").fill("me");
  await form.getByLabel("Secret").fill("short");
  await save.click();
  await says("Region", /as eu-central-1/);
  await says("Route tables", /as rtb-0a1b2c3d4e5f60718/);
  await says("Access key", /16 capital letters/);
  await says("Secret", /40 characters/);
  await form.getByLabel("Region").fill("eu-central-1");
  await form.getByLabel("Route tables").fill(table);
  await form.getByLabel("Access key").fill("");
  await form.getByLabel("Secret").fill("");
  await form.getByLabel("Endpoint").fill("http://169.254.169.254");
  await save.click();
  // Errors that only the server can detect appear at their fields too.
  await says("Endpoint", /must use https:\/\//);
  await form.getByLabel("Endpoint").fill(cloudUrl);
  await save.click();
  await says("Access key", /Enter an access key/);
  await form.getByLabel("Access key").fill(testCredentials.accessKeyId);
  await form.getByLabel("Secret").fill(testCredentials.secretAccessKey);
  await save.click();
  await expect(form).toBeHidden();
  await expect(route).toContainText(table);

  await route.getByRole("button", { name: "Change" }).click();
  await expect(form.getByLabel("Access key")).toHaveValue("");
  await expect(form.getByLabel("Secret")).toHaveValue("");
  for (const part of Object.values(testCredentials)) expect(await page.content()).not.toContain(part);
  await form.getByRole("button", { name: "Cancel" }).click();
  await leave(page);
  await remove(request, "clusters", id);
});

test("in a cluster without BGP a cloud routes addresses to a replica, and the routing page shows where", async ({
  page,
  request,
}) => {
  test.setTimeout(400_000);
  const emulator = await startEc2Emulator(ports.cloud);
  const lab = await startLab(request, "c");
  try {
    const vpc = await createTestVpc(cloudUrl, testCredentials, "10.64.0.0/16");
    const table = await vpc.addRouteTable();
    const { id } = await create(request, "exposures", {
      clusterId: lab.clusterId,
      name: "web",
      workload: { namespace: "default", kind: "deployment", name: "web" },
      ports: [{ port: 80, protocol: "tcp" }],
      strategy: { type: "ecmp", replicas: 2, poolId: lab.poolId },
    });

    const place = { provider: "aws", region: "eu-central-1", endpoint: cloudUrl };
    const cloudRoute = { ...place, method: "route", routeTables: [table], credentials: testCredentials };
    const set = await request.patch(`/api/v1/clusters/${lab.clusterId}`, { data: { cloudRoute } });
    expect(set.ok(), await set.text()).toBe(true);

    await page.goto(`/clusters/${lab.clusterId}?tab=cloud`);
    const route = page.getByRole("region", { name: "Cloud route" });
    await route.getByRole("link", { name: "View addresses" }).click();
    const addresses = page.getByRole("table", { name: "Cloud routes" });
    const row = addresses.getByRole("row", { name: /203\.0\.113\.1 / });
    const refused = /no network interface has (10\.64\.\d+\.\d+), which its replica reports/;
    await expect(row).toContainText(refused, { timeout: 120_000 });
    await expect(row).toContainText("Rejected");
    const of = async () => refused.exec((await row.textContent()) ?? "")?.[1] ?? "";
    const first = await vpc.addInterface(await of());
    await expect(row).toContainText("Placed", { timeout: 60_000 });
    await expect(row).toContainText(first);
    expect(await vpc.leadsTo(table, "203.0.113.1")).toBe(first);

    const node = row.getByRole("link", { name: /^node-/ });
    const before = (await node.textContent()) ?? "";
    const nodeId = ((await node.getAttribute("href")) ?? "").split("/").pop() ?? "";
    expect((await request.patch(`/api/v1/nodes/${nodeId}`, { data: { draining: true } })).ok()).toBe(true);
    await expect(row).toContainText(refused, { timeout: 60_000 });
    const second = await vpc.addInterface(await of());
    await expect(row).toContainText(second, { timeout: 60_000 });
    await expect(row).toContainText("Placed");
    await expect(row).not.toContainText(before);
    expect(await vpc.leadsTo(table, "203.0.113.1")).toBe(second);
    await expect(page.getByRole("region", { name: "Timeline" })).toContainText("AddressMoved");

    await request.patch(`/api/v1/clusters/${lab.clusterId}`, { data: { cloudRoute: null } });
    await expect(addresses).toBeHidden({ timeout: 60_000 });
    expect(await vpc.leadsTo(table, "203.0.113.1")).toBeNull();
    vpc.client.destroy();
    await remove(request, "exposures", id);
    await expect
      .poll(async () => (await request.get(`/api/v1/exposures/${id}`)).status(), { timeout: 100_000 })
      .toBe(404);
  } finally {
    await lab.stop();
    await emulator.stop();
  }
  await lab.forget(page);
});
