import {
  createTestBalancers,
  refuse,
  startAwsFront,
  startEc2Emulator,
  testCredentials,
} from "@fairlead/drivers/aws-testing";
import { query } from "../support/database.ts";
import { cloudUrl, ports } from "../support/product.ts";
import { create, first, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

// The browser logs every form request that the server rejects.
test.use({ allowedProblems: /status of 422/ });

test("cloud metrics are set up in a form, errors of the cloud are shown, and its metrics are drawn", async ({
  page,
  request,
}) => {
  test.setTimeout(240_000);
  const emulator = await startEc2Emulator();
  const front = await startAwsFront(emulator.url, ports.cloud);
  const made = createTestBalancers("eu-central-1", emulator.url);
  try {
    front.madeAt = new Date(Date.now() - 3_600_000);
    const balancer = await made.network();
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    for (let ago = 10; ago < 25; ago++)
      await made.measure(balancer, new Date(minute - ago * 60_000), { ProcessedBytes: 7_500_000, ActiveFlowCount: 40 });

    const { id } = await create(request, "clusters", { name: unique("eks"), kind: "kubernetes" });
    const exposure = await create(request, "exposures", {
      clusterId: id,
      name: "shop",
      workload: { namespace: "default", kind: "deployment", name: "shop" },
      ports: [{ port: 443, protocol: "tcp" }],
      strategy: { type: "cloud", provider: "aws" },
    });
    const { id: balancerId } = await first(request, "load-balancers", `exposureId=${exposure.id}`);
    // As the status of the Service would report it. The test has no real cluster.
    await query("UPDATE load_balancer SET created_at = now() - interval '1 hour' WHERE id = $1", [balancerId]);
    await query(
      `INSERT INTO load_balancer_status (load_balancer_id, phase, address, observed_at) VALUES ($1, 'serving', $2, now())
       ON CONFLICT (load_balancer_id) DO UPDATE SET address = excluded.address`,
      [balancerId, balancer.address],
    );

    await page.goto(`/load-balancers/${balancerId}`);
    const measured = page.getByRole("region", { name: "Measured" });
    await measured.getByRole("link", { name: /cloud metrics/ }).click();
    await expect(page).toHaveURL(new RegExp(`/clusters/${id}\\?tab=cloud#cloud-metrics$`));
    const section = page.getByRole("region", { name: "Cloud metrics" });
    await expect(section).toContainText("Cloud load balancers of this cluster have no charts");
    await section.getByRole("button", { name: "Set up" }).click();
    const form = page.getByRole("dialog", { name: /^Cloud metrics of/ });
    const save = form.getByRole("button", { name: "Save" });
    const says = (label: string, words: RegExp) => expect(form.getByLabel(label)).toHaveAccessibleDescription(words);
    await form.getByLabel("Region").fill("Frankfurt");
    await form.getByLabel("Access key").fill("me");
    await form.getByLabel("Secret").fill("short");
    await save.click();
    await says("Region", /as eu-central-1/);
    await says("Access key", /16 capital letters/);
    await says("Secret", /40 characters/);
    await form.getByLabel("Region").fill("eu-central-1");
    await form.getByLabel("Access key").fill("");
    await form.getByLabel("Secret").fill("");
    await form.getByLabel("CloudWatch endpoint").fill(cloudUrl);
    await form.getByLabel("Load balancing endpoint").fill("http://169.254.169.254");
    await save.click();
    // Errors that only the server can detect appear at their fields too.
    await says("Load balancing endpoint", /must use https:\/\//);
    await form.getByLabel("Load balancing endpoint").fill(cloudUrl);
    await save.click();
    await says("Access key", /Enter an access key/);
    front.answer = refuse(403, "SignatureDoesNotMatch");
    await form.getByLabel("Access key").fill(testCredentials.accessKeyId);
    await form.getByLabel("Secret").fill(testCredentials.secretAccessKey);
    await save.click();
    await expect(form).toBeHidden();
    const status = section.getByRole("status");
    await expect(status).toContainText("Rejected", { timeout: 60_000 });
    await expect(status).toContainText("the secret doesn't match the access key; set both again");

    front.answer = null;
    await section.getByRole("button", { name: "Change" }).click();
    await expect(form.getByLabel("Access key")).toHaveValue("");
    await expect(form.getByLabel("Secret")).toHaveValue("");
    for (const part of Object.values(testCredentials)) expect(await page.content()).not.toContain(part);
    await form.getByLabel("Access key").fill(testCredentials.accessKeyId);
    await form.getByLabel("Secret").fill(testCredentials.secretAccessKey);
    await save.click();
    await expect(status).toContainText("Reading", { timeout: 60_000 });
    await expect(section).toContainText("1 of 1 found in the cloud");
    await expect(section).toContainText("180 metrics per hour");

    await page.goto(`/load-balancers/${balancerId}`);
    for (const title of ["Throughput both ways", "Live connections", "New connections"])
      await expect(measured.getByRole("heading", { name: title, exact: true })).toBeVisible({ timeout: 30_000 });
    for (const title of ["Throughput", "Packets", "Connection set-up"])
      await expect(measured.getByRole("heading", { name: title, exact: true })).toHaveCount(0);

    await page.goto(`/clusters/${id}?tab=cloud`);
    await section.getByRole("button", { name: "Change" }).click();
    await form.getByRole("button", { name: "Remove cloud metrics" }).click();
    await expect(section).toContainText("Cloud load balancers of this cluster have no charts");
    await page.goto("/clusters");
    await remove(request, "exposures", exposure.id);
    await expect
      .poll(async () => (await request.get(`/api/v1/exposures/${exposure.id}`)).status(), { timeout: 60_000 })
      .toBe(404);
    await remove(request, "clusters", id);
  } finally {
    made.close();
    await front.close();
    await emulator.stop();
  }
});
