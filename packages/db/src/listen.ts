import pg from "pg";

export type Listener = { stop: () => Promise<void> };

export type ListenOptions = {
  url: string;
  channels: readonly string[];
  onNotification: (channel: string, payload: string) => void;
  /** Called at every (re)connection: earlier notifications are lost, so read the current state. */
  onConnected: () => void;
  /** Called at every loss, with its cause; listen reconnects automatically. */
  onLost?: (error: unknown) => void;
  applicationName?: string;
};

const retryFirstMs = 250;
const retryMostMs = 5_000;
/** An idle connection with a broken path never fails by itself; a periodic query makes it fail. */
const checkEveryMs = 30_000;

/** listen receives pg_notify on its own connection, and reconnects when that is cut. Notifications are hints only. */
export async function listen(options: ListenOptions): Promise<Listener> {
  let stopped = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: options.applicationName ?? "fairlead-listen",
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    client = next;
    const lost = once((error: unknown) => {
      clearInterval(asking);
      next.end().catch(() => {});
      if (stopped || client !== next) return;
      options.onLost?.(error);
      retry = setTimeout(() => void connect(), Math.min(retryFirstMs * 2 ** failures++, retryMostMs));
    });
    const asking = setInterval(() => next.query("SELECT 1").catch(lost), checkEveryMs);
    next.on("error", lost);
    next.on("end", () => lost(new Error("the listening connection was closed")));
    next.on("notification", ({ channel, payload }) => options.onNotification(channel, payload ?? ""));
    try {
      await next.connect();
      for (const channel of options.channels) await next.query(`LISTEN ${next.escapeIdentifier(channel)}`);
      if (stopped) return;
      failures = 0;
      options.onConnected();
    } catch (error) {
      lost(error);
    }
  }

  await connect();
  return {
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}

function once(work: (error: unknown) => void): (error: unknown) => void {
  let done = false;
  return (error) => {
    if (done) return;
    done = true;
    work(error);
  };
}
