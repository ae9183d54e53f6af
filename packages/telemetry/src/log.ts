export type LogFields = Record<string, unknown>;

/** Log writes one JSON object per line: {"at", "level", "msg", …}. The same keys mean the same things everywhere. */
export type Log = {
  info(msg: string, fields?: LogFields): void;
  warn(msg: string, fields?: LogFields): void;
  error(msg: string, fields?: LogFields): void;
  /** Returns a log that adds these fields to every line. */
  with(fields: LogFields): Log;
};

export function jsonLog(write: (line: string) => void, fields: LogFields = {}, now = () => new Date()): Log {
  const line = (level: string) => (msg: string, more?: LogFields) =>
    write(`${JSON.stringify({ at: now().toISOString(), level, msg, ...fields, ...more }, plain)}\n`);
  return {
    info: line("info"),
    warn: line("warn"),
    error: line("error"),
    with: (more) => jsonLog(write, { ...fields, ...more }, now),
  };
}

export const silentLog: Log = { info() {}, warn() {}, error() {}, with: () => silentLog };

const longestMessage = 2_000;

/** plain converts values that JSON can't represent: errors with their causes, and integers past 2^53. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message: message.slice(0, longestMessage), stack: stack?.slice(0, longestMessage), cause };
}
