import { clusterRouter } from "./routers/cluster.ts";
import { liveRouter } from "./routers/live.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  cluster: clusterRouter,
  live: liveRouter,
});

export type AppRouter = typeof appRouter;
