import type { APIRequestContext } from "@playwright/test";
import { everywhere } from "../support/accessibility.ts";
import { createExposure, ensureLab, remove, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test } from "../support/test.ts";

// The page of a deleted exposure may fetch it once more before the list appears.
test.use({ allowedProblems: /status of (404.*exposure\.(get|pause)|409|412)/ });

type Shown = { id: string; name: string; pausedAt: string | null };

async function list(request: APIRequestContext, search: string): Promise<Shown[]> {
  const answer = await request.get(`/api/v1/exposures?search=${search}&limit=50`);
  return ((await answer.json()) as { items: Shown[] }).items;
}

test("an exposure is paused and resumed on its page, which shows what that means and who did it", async ({
  page,
  request,
}) => {
  const { id, name } = await createExposure(request, unique("pause"), await ensureLab(request));
  await page.goto(`/exposures/${id}`);
  await settled(page);
  const heading = page.getByRole("heading", { level: 1 });
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Pause ${name}?` });
  await expect(dialog).toContainText("Traffic continues.");
  await expect(dialog).toContainText("new instances are not exposed");
  await everywhere(page);
  await dialog.getByRole("button", { name: "Pause exposure" }).click();
  await expect(dialog).toBeHidden();
  await expect(heading).toContainText("Paused");
  await expect(page.getByRole("note").filter({ hasText: "Paused" })).toContainText(
    "Nothing is changed or repaired until it is resumed.",
  );
  await expect(page.getByRole("button", { name: "Delete" })).toHaveAttribute("aria-disabled", "true");
  const refused = await request.delete(`/api/v1/exposures/${id}`);
  expect(refused.status()).toBe(409);
  expect(await refused.text()).toContain("Resume it, then delete it.");
  await showTab(page, "Events");
  await expect(page.getByRole("table", { name: "Conditions" }).getByRole("row", { name: /^Paused/ })).toContainText(
    "Yes",
  );

  // The edit is stored, and the preview compares with what clients still use.
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("note").filter({ hasText: "Paused" })).toContainText("applied when it is resumed");
  await page.getByLabel("Workload name").fill("another");
  await expect(page.getByRole("region", { name: "Changes" })).toContainText(`This happens when ${name} is resumed.`);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText(`Saved the change of ${name}. It is applied when ${name} is resumed.`)).toBeVisible();

  await page.getByRole("button", { name: "Resume", exact: true }).click();
  const resume = page.getByRole("dialog", { name: `Resume ${name}?` });
  await expect(resume).toContainText("Workload: connections to instances that are not in the new one end");
  // Another user edits the spec after the dialog was opened.
  await request.patch(`/api/v1/exposures/${id}`, { data: { labels: { team: "checkout" } } });
  await resume.getByRole("button", { name: "Resume exposure" }).click();
  await expect(resume.getByRole("alert")).toContainText(`${name} was edited meanwhile`);
  expect(await list(request, name)).toMatchObject([{ pausedAt: expect.any(String) }]);
  await resume.getByRole("button", { name: "Resume exposure" }).click();
  await expect(resume).toBeHidden();
  await expect(heading).not.toContainText("Paused");
  await showTab(page, "Spec");
  const history = page.getByRole("region", { name: "History" }).getByRole("listitem");
  await expect(history.first()).toContainText("Resumed");
  await remove(request, "exposures", id);
});

test("many exposures are paused and resumed together, and a row that fails is shown", async ({ page, request }) => {
  const prefix = unique("pauses");
  const lab = await ensureLab(request);
  const made = await Promise.all([1, 2, 3].map((number) => createExposure(request, `${prefix}-${number}`, lab)));
  await page.goto(`/exposures?q=${prefix}`);
  const rows = page.getByRole("grid", { name: "Exposures" }).locator("[data-row]");
  await expect(rows).toHaveCount(3);
  const bar = page.getByRole("region", { name: "Selected rows" });
  await page.getByRole("checkbox", { name: "Select the rows on screen" }).check();
  await bar.getByRole("button", { name: "Pause…" }).click();
  const dialog = page.getByRole("dialog", { name: "Pause 3 exposures?" });
  const names = dialog.getByRole("list", { name: "Exposures to pause" }).getByRole("listitem");
  await expect(names).toHaveCount(3);
  const [gone, ...kept] = made;
  await remove(request, "exposures", gone?.id ?? "");
  await dialog.getByRole("button", { name: "Pause 3 exposures" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("1 of 3 exposures could not be paused.");
  await expect(names.first()).toHaveText(new RegExp(`^${gone?.name}.+`));
  await expect(names.filter({ hasText: /Paused$/ })).toHaveCount(2);
  const repeated: string[] = [];
  page.on("request", (each) => {
    if (each.url().includes("exposure.pause")) repeated.push(each.postData() ?? "");
  });
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => repeated).toHaveLength(1);
  expect(repeated[0]).toContain(gone?.id);
  for (const { id } of kept) expect(repeated[0]).not.toContain(id);
  await expect(names.filter({ hasText: /Paused$/ })).toHaveCount(2);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(dialog).toBeHidden();
  await expect(rows.filter({ hasText: "Paused" })).toHaveCount(2);

  await bar.getByRole("button", { name: "Clear" }).click();
  await rows
    .filter({ hasText: kept[0]?.name ?? "" })
    .getByRole("checkbox")
    .check();
  await bar.getByRole("button", { name: "Resume…" }).click();
  const resume = page.getByRole("dialog", { name: "Resume 1 exposure?" });
  await expect(resume).toContainText("Its spec was not edited since the pause.");
  await resume.getByRole("button", { name: "Cancel" }).click();
  const workload = { namespace: "default", kind: "deployment", name: "another" };
  await request.patch(`/api/v1/exposures/${kept[0]?.id}`, { data: { workload } });
  // A selection resumes the spec that it was made with.
  await page.reload();
  await rows
    .filter({ hasText: kept[0]?.name ?? "" })
    .getByRole("checkbox")
    .check();
  await bar.getByRole("button", { name: "Resume…" }).click();
  const changes = resume.getByRole("region", { name: `Changes of ${kept[0]?.name} since the pause` });
  await expect(changes).toContainText("Workload: connections to instances that are not in the new one end");
  await everywhere(page);
  await resume.getByRole("button", { name: "Resume 1 exposure" }).click();
  await expect(resume).toBeHidden();
  await expect(rows.filter({ hasText: "Paused" })).toHaveCount(1);
  await page.goto(`/exposures?q=${prefix}&paused=yes`);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(kept[1]?.name ?? "");
  expect((await list(request, prefix)).filter(({ pausedAt }) => pausedAt !== null)).toMatchObject([
    { name: kept[1]?.name },
  ]);
  for (const { id } of kept) {
    await request.post(`/api/v1/exposures/${id}/resume`);
    await remove(request, "exposures", id);
  }
});
