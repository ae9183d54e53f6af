import { ActorWatch, ChoiceHub, FeedHub, MapHub } from "@fairlead/api";
import { listen } from "@fairlead/db";
import { feedChannel, flushMapReads, mapChannel } from "@fairlead/services";
import { env } from "../env.ts";
import { db } from "./db.ts";
import { log } from "./log.ts";
import { metrics } from "./metrics.ts";

type Feed = { hub: FeedHub; maps: MapHub; choices: ChoiceHub; actors: ActorWatch; stop: () => Promise<void> };

// Next.js may load this module several times in one process, but there must be one hub and one listening connection.
const kept = globalThis as { fairleadFeed?: Feed };

/** feedHub feeds all live streams of this process. */
export function feedHub(): FeedHub {
  kept.fairleadFeed ??= openFeed();
  return kept.fairleadFeed.hub;
}

/** mapHub feeds all requests of this process that wait for an address map. */
export function mapHub(): MapHub {
  kept.fairleadFeed ??= openFeed();
  return kept.fairleadFeed.maps;
}

/** choiceHub feeds all requests of this process that watch a choice. */
export function choiceHub(): ChoiceHub {
  kept.fairleadFeed ??= openFeed();
  return kept.fairleadFeed.choices;
}

/** actorWatch ends the streams of this process whose session or key is no longer accepted. */
export function actorWatch(): ActorWatch {
  kept.fairleadFeed ??= openFeed();
  return kept.fairleadFeed.actors;
}

/**
 * stopFeed ends all streams, because open streams would keep the server from stopping. Their clients reconnect
 * elsewhere.
 */
export async function stopFeed(): Promise<void> {
  await kept.fairleadFeed?.stop();
}

function openFeed(): Feed {
  const { all, feedLag } = metrics();
  const hub = new FeedHub({
    db: db(),
    onLag: (lagMs) => feedLag.observe(lagMs / 1_000),
    onError: (error) => log.warn("can't read the feed", { err: error }),
  });
  const maps = new MapHub({
    db: db(),
    onError: (error) => log.warn("can't read address maps", { err: error }),
  });
  const choices = new ChoiceHub();
  const actors = new ActorWatch({
    db: db(),
    onError: (error) => log.warn("can't check the sessions of live streams", { err: error }),
  });
  all.gauge("fairlead_web_map_waiters", "Requests that wait for an address map to change.", () => [
    { value: maps.waiterCount },
  ]);
  all.gauge("fairlead_web_choice_watchers", "Requests that watch a choice.", () => [{ value: choices.watcherCount }]);
  all.gauge("fairlead_web_live_streams", "Open live streams.", () => [{ value: hub.streamCount }]);
  const listening = listen({
    url: env().databaseUrl,
    channels: [feedChannel, mapChannel],
    applicationName: "fairlead-web-feed",
    onNotification: (channel, payload) => (channel === mapChannel ? maps.hint(payload) : hub.hint()),
    onConnected() {
      hub.hint();
      maps.hint();
    },
    onLost: (error) => log.warn("feed notifications lost; polling every second until they are back", { err: error }),
  });
  const stop = async () => {
    hub.close();
    maps.close();
    choices.close();
    actors.close();
    await flushMapReads(db()).catch((error: unknown) =>
      log.warn("some reads of address maps were not recorded", { err: error }),
    );
    await (await listening).stop();
  };
  process.once("SIGTERM", () => void stop());
  process.once("SIGINT", () => void stop());
  return { hub, maps, choices, actors, stop };
}
