import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Mappers, moved, outside, portOf } from "../testing/mappers.ts";
import { aMap, until } from "../testing/maps.ts";

const stage = new Mappers();

describe("the copy on disk", () => {
  it("is used at startup while the control plane is unreachable, with its age, and replaced when it is back", async () => {
    const cacheFile = path.join(stage.folder, "map.json");
    await (await stage.start({ cacheFile })).stop();
    expect((await stat(cacheFile)).mode & 0o777).toBe(0o600);
    const kept = JSON.parse(await readFile(cacheFile, "utf8"));
    await writeFile(cacheFile, JSON.stringify({ ...kept, confirmedAt: kept.confirmedAt - 60_000 }));
    await stage.edge.close();
    const mapper = await stage.start({ cacheFile });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    expect(mapper.current).toMatchObject({ source: "disk" });
    expect(mapper.current?.ageMs).toBeGreaterThanOrEqual(60_000);
    stage.edge.serve(moved(2, 31_002));
    await stage.edge.open();
    await until("the change", () => portOf(mapper) === 31_002);
    expect(mapper.current).toMatchObject({ source: "server" });
    await mapper.stop();
    expect(JSON.parse(await readFile(cacheFile, "utf8")).map.generation).toBe(2);
    expect(await readdir(stage.folder)).toEqual(["map.json"]);
  });

  it("does not delay the start for a control plane that doesn't respond", async () => {
    const cacheFile = path.join(stage.folder, "map.json");
    await (await stage.start({ cacheFile })).stop();
    stage.edge.outage = () => {};
    const began = performance.now();
    await stage.start({ cacheFile, requestTimeoutMs: 60_000, startTimeoutMs: 60_000 });
    // It waits 2 s, far below the minute that the options allow, also on a busy machine.
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it("is not used if the control plane refuses", async () => {
    const cacheFile = path.join(stage.folder, "map.json");
    await (await stage.start({ cacheFile })).stop();
    await expect(stage.make({ cacheFile, apiKey: "fl_wrong" }).start()).rejects.toMatchObject({ kind: "refused" });
  });

  it.each([
    ["a truncated file", '{"format":"fairlead-address-map/1","map":{"exp'],
    ["another file", '{"some":"thing"}'],
    ["nothing", ""],
    [
      "a hostile map",
      JSON.stringify({ format: "fairlead-address-map/1", map: { ...aMap(1), entries: [{ ports: "x" }] } }),
    ],
    [
      "another exposure's",
      JSON.stringify({ format: "fairlead-address-map/1", map: { ...aMap(1), exposureId: "exp_x" } }),
    ],
  ])("is ignored when it is %s", async (_, text) => {
    const cacheFile = path.join(stage.folder, "map.json");
    await writeFile(cacheFile, text);
    const mapper = await stage.start({ cacheFile });
    expect(mapper.problems.map(({ kind }) => kind)).toEqual(["malformed"]);
    expect(mapper.current).toMatchObject({ source: "server" });
  });

  it("that can't be written affects nothing else", async () => {
    const mapper = await stage.start({ cacheFile: path.join(stage.folder, "no", "such", "folder.json") });
    await until("the problem", () => mapper.problems.length === 1);
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    expect(existsSync(path.join(stage.folder, "no"))).toBe(false);
  });
});
