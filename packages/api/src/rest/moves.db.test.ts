import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { Move, MovePreview } from "@fairlead/domain/move";
import { createExposure } from "@fairlead/services";
import { createTestClusters, createTestOrganization, testSpec } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestApi } from "../testing/index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("previews, starts, pauses, resumes and rolls back a move, and names the field that is wrong", async () => {
  const owner = await createTestOrganization(database.db);
  const api = createTestApi(owner);
  const { west, pool } = await createTestClusters(owner);
  const { id: exposureId } = await createExposure(owner, testSpec(pool));
  const body = { exposureId, clusterId: west.id };
  const post = (path: string, json?: object) => api.fetch(owner, path, { method: "POST", ...(json ? { json } : {}) });
  const fields = async (json: object) => {
    const response = await post("/moves", json);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    return [response.status, ...errors.map((each) => each.pointer)];
  };

  const preview = (await (await post("/moves/preview", body)).json()) as MovePreview;
  expect(preview.steps.map((each) => each.share)).toEqual([5, 25, 50, 100]);
  expect(await fields({ ...body, steps: [50, 25, 100] })).toEqual([422, "#/steps/1"]);
  expect(await fields({ ...body, gates: { maxCpuPercent: 101 } })).toEqual([422, "#/gates/maxCpuPercent"]);
  expect(await fields({ ...body, clusterId: newId("cluster") })).toEqual([422, "#/clusterId"]);

  const started = await post("/moves", body);
  const { id, state } = (await started.json()) as Move;
  expect([started.status, state]).toEqual([201, "planned"]);
  expect(await fields(body)).toEqual([409, "#/exposureId"]);
  const stateAfter = async (path: string) => ((await (await post(`/moves/${id}/${path}`)).json()) as Move).state;
  expect(await stateAfter("pause")).toBe("paused");
  expect(await stateAfter("resume")).toBe("planned");
  expect(await stateAfter("roll-back")).toBe("rolling-back");
  const { items } = (await (await api.fetch(owner, `/moves?exposureId=${exposureId}`)).json()) as { items: Move[] };
  expect(items.map((each) => each.id)).toEqual([id]);
  const audited = await database.db.auditEntry.findMany({ where: { subjectId: exposureId }, orderBy: { id: "asc" } });
  expect(audited.map((each) => each.action).sort()).toEqual([
    "exposure.create",
    "exposure.move",
    "exposure.move.pause",
    "exposure.move.resume",
    "exposure.move.roll-back",
  ]);
  api.close();
  expect(api.faults).toEqual([]);
});
