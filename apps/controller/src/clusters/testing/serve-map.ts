import { setTimeout as sleep } from "node:timers/promises";
import type { AddressMap } from "@fairlead/client";
import { Edge } from "@fairlead/client/testing";
import { selectMap } from "@fairlead/services";
import type { ClusterStage } from "./cluster-stage.ts";

/** serveMap serves an exposure's map from the database to clients: each new map at once. */
export async function serveMap(
  { database }: ClusterStage,
  exposureId: string,
): Promise<{ edge: Edge; stop: () => Promise<void> }> {
  async function read(): Promise<AddressMap> {
    const found = await selectMap(database.db, exposureId);
    if (!found) throw new Error(`there is no exposure ${exposureId}`);
    return { name: exposureId, ...(JSON.parse(JSON.stringify(found.map)) as Omit<AddressMap, "name">) };
  }
  const edge = await new Edge(await read()).open();
  let isStopped = false;
  async function follow(): Promise<void> {
    while (!isStopped) {
      const map = await read();
      if (map.generation !== edge.map.generation) edge.serve(map);
      await sleep(50);
    }
  }
  const following = follow();
  return {
    edge,
    async stop() {
      isStopped = true;
      await following;
      await edge.close();
    },
  };
}
