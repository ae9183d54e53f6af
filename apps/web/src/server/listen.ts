import pg from "pg";

export type Listening = { close: () => Promise<void> };

const firstRetryMs = 250;
const lastRetryMs = 10_000;

/**
 * listen keeps one connection that hears the notifications of a channel, and opens another whenever it is lost.
 * onHint comes once more after each loss, for whatever was notified meanwhile.
 */
export function listen(
  url: string,
  channel: string,
  on: { hint: () => void; lost: (error: unknown) => void },
): Listening {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let closed = false;

  async function open(): Promise<void> {
    const opened = new pg.Client({ connectionString: url, application_name: "fairlead-web-feed", keepAlive: true });
    client = opened;
    let isLost = false;
    const lose = (error: unknown) => {
      if (isLost || closed) return;
      isLost = true;
      on.lost(error);
      void opened.end().catch(() => {});
      timer = setTimeout(() => void open(), Math.min(firstRetryMs * 2 ** failures++, lastRetryMs));
      timer.unref();
    };
    opened.on("error", lose);
    opened.on("end", () => lose(new Error("the connection that listens was closed")));
    opened.on("notification", on.hint);
    try {
      await opened.connect();
      await opened.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      failures = 0;
      on.hint();
    } catch (error) {
      lose(error);
    }
  }

  void open();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
