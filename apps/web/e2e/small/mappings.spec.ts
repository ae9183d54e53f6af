import { newId } from "@fairlead/domain";
import { query } from "../support/database.ts";
import { create, first, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

/** map writes the observation of a driver for one instance of an exposure. */
async function map(exposureId: string, clusterId: string, organizationId: string, n: number, name: string) {
  const balancer = newId("loadBalancer");
  await query(
    `INSERT INTO load_balancer (id, organization_id, cluster_id, exposure_id, name, kind, instance, updated_at)
     VALUES ($1, $2, $3, $4, $5, 'cloud', $5, now())`,
    [balancer, organizationId, clusterId, exposureId, `${name}-${n}`],
  );
  await query(
    `INSERT INTO address_mapping (id, organization_id, exposure_id, load_balancer_id, instance, pod, node, protocol,
       internal_address, internal_port, external_address, external_port, ready, since, generation, observed_at)
     VALUES ($1, $2, $3, $4, $5, $5, 'worker-1', 'tcp', $6::inet, 6379, $7, 7000, $8::boolean, now(), 1, now())`,
    [
      ...[newId("addressMapping"), organizationId, exposureId, balancer, `${name}-${n}`],
      ...[`100.64.7.${n}`, `203.0.113.${n}`, String(n !== 2)],
    ],
  );
}

test("an address map is listed, drawn, copied and restricted to networks", async ({ page, request }) => {
  const cluster = await first(request, "clusters", "search=local");
  const name = unique("redis");
  const { id } = await create(request, "exposures", {
    clusterId: cluster.id,
    name,
    workload: { namespace: "default", kind: "stateful-set", name },
    ports: [{ name: "redis", port: 7000, targetPort: 6379, protocol: "tcp" }],
    strategy: { type: "per-replica", addressing: "dedicated" },
  });
  const session = (await (await request.get("/api/v1/session")).json()) as { organization: { id: string } };
  const organizationId = session.organization.id;

  await test.step("without a mapping, the page of the exposure says what is missing", async () => {
    await page.goto(`/exposures/${id}?tab=map`);
    await expect(page.getByRole("region", { name: "Address map" })).toContainText("No mappings yet");
  });

  for (const n of [1, 2, 3]) await map(id, cluster.id, organizationId, n, name);
  await query(
    `INSERT INTO exposure_status (exposure_id, map_generation, map_changed_at, observed_at) VALUES ($1, 1, now(), now())
     ON CONFLICT (exposure_id) DO UPDATE SET map_generation = 1, map_changed_at = now()`,
    [id],
  );

  await test.step("the list finds it by address, and shows one in a peek", async () => {
    await page.goto(`/mappings?exposure=${id}`);
    const grid = page.getByRole("grid", { name: "Mappings" });
    await expect(grid).toContainText("203.0.113.1:7000");
    await page.getByLabel("Search by instance, address or node").fill("100.64.7.2");
    await expect(page.getByRole("status").filter({ hasText: "1 mapping" })).toBeVisible();
    await expect(grid).toContainText("Not ready");
  });

  await test.step("the page of the exposure draws the map and copies it", async () => {
    await page.goto(`/exposures/${id}?tab=map`);
    const section = page.getByRole("region", { name: "Address map" });
    await expect(section.getByRole("figure")).toBeVisible();
    const table = section.getByRole("table", { name: "Address map" });
    await expect(table).toContainText("100.64.7.1:6379");
    await expect(table.getByText("Not ready")).toHaveCount(1);
    await section.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("menuitem", { name: "YAML", exact: true }).click();
    await expect(page.getByText("Copied the map as YAML, generation 1.")).toBeVisible();
  });

  await test.step("an instance can be tested, and the result is shown", async () => {
    await page.getByRole("button", { name: `Test ${name}-1` }).click();
    const dialog = page.getByRole("dialog", { name: `Test ${name}-1` });
    await dialog.getByLabel("Protocol").selectOption("TLS");
    await dialog.getByLabel("Server name").fill("not a name");
    await dialog.getByRole("button", { name: "Run test" }).click();
    await expect(dialog.getByLabel("Server name")).toHaveAccessibleDescription(/enter a host name/i);
    await dialog.getByLabel("Server name").fill("redis.example.com");
    await dialog.getByRole("button", { name: "Run test" }).click();
    const answer = dialog.getByRole("region", { name: "Test result" });
    // Documentation addresses have no host, but some networks answer for any address.
    await expect(answer).toContainText(/Unreachable|Reachable/, { timeout: 15_000 });
    await expect(answer).toContainText("203.0.113.1:7000");
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  await test.step("programs can read the map, and their addresses are shown", async () => {
    const answer = await request.get(`/api/v1/exposures/${id}/mappings?format=compact`);
    expect(await answer.text()).toContain('- "100.64.7.1:203.0.113.1"');
    const same = await request.get(`/api/v1/exposures/${id}/mappings?format=compact`, {
      headers: { "if-none-match": answer.headers().etag ?? "" },
    });
    expect(same.status()).toBe(304);
    await page.reload();
    const readers = page.getByRole("table", { name: "Map readers" });
    await expect(readers).toContainText("compact YAML");
    await expect(readers).toContainText("127.0.0.1");
  });

  await test.step("a map restricted to networks is rejected elsewhere, whatever a header claims", async () => {
    const readers = page.getByRole("region", { name: "Map readers" });
    await readers.getByRole("button", { name: "Change access" }).click();
    const form = page.getByRole("dialog", { name: "Map access" });
    await form.getByLabel("Networks").fill("10.0.0.1/8");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByLabel("Networks")).toHaveAccessibleDescription(/10\.0\.0\.0\/8/);
    await form.getByLabel("Networks").fill("10.0.0.0/8");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form).toBeHidden();
    await expect(readers).toContainText("from 10.0.0.0/8 only");
    const refused = await request.get(`/api/v1/exposures/${id}/mappings`, {
      headers: { "x-forwarded-for": "10.1.2.3" },
    });
    expect(refused.status()).toBe(403);
    expect(await refused.text()).toContain("127.0.0.1 is in none of them");
  });
});
