import { type Listener, listen } from "@fairlead/db";
import { manySubjects, type SeriesIds, seriesChannel } from "@fairlead/services/gateway";

/** A series is deleted a month after its last sample, or after its subject: a number of today needs no notification. */
const forgetEveryMs = 24 * 3_600_000;

/** followDeletedSeries drops the numbers of deleted series from the cache, so that no point is stored under one. */
export async function followDeletedSeries(databaseUrl: string, seriesIds: SeriesIds): Promise<Listener> {
  const listener = await listen({
    url: databaseUrl,
    channels: [seriesChannel],
    applicationName: "fairlead-series-listen",
    onNotification: (_, subjectId) => {
      if (subjectId === manySubjects) seriesIds.forgetAll();
      else seriesIds.forget(subjectId);
    },
    onConnected: () => seriesIds.forgetAll(),
  });
  const timer = setInterval(() => seriesIds.forgetAll(), forgetEveryMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await listener.stop();
    },
  };
}
