import { driving } from "./driving.ts";

type Kept<Driver> = { driver: Driver; running: number; isEvicted: boolean };

/** UseDriver runs work with the driver of a key, which is opened if it isn't kept. */
export type UseDriver<Driver> = <Result>(
  key: readonly unknown[],
  open: () => Driver,
  work: (driver: Driver) => Promise<Result>,
) => Promise<Result>;

/**
 * keepDrivers reuses a driver while its key stays the same, because a driver keeps connections open. Beyond most, the
 * least recently used one is closed, once its running work is done: otherwise each changed key would leave connections
 * open.
 */
export function keepDrivers<Driver extends { close?(): void }>(most = 256): UseDriver<Driver> {
  const kept = new Map<string, Kept<Driver>>();

  function hold(name: string, open: () => Driver): Kept<Driver> {
    const held = kept.get(name) ?? { driver: open(), running: 0, isEvicted: false };
    held.running++;
    kept.delete(name);
    kept.set(name, held);
    const [oldest] = kept;
    if (kept.size > most && oldest) {
      kept.delete(oldest[0]);
      oldest[1].isEvicted = true;
      closeUnused(oldest[1]);
    }
    return held;
  }

  return async (key, open, work) => {
    const held = await driving(async () => hold(JSON.stringify(key), open));
    try {
      return await work(held.driver);
    } finally {
      held.running--;
      closeUnused(held);
    }
  };
}

function closeUnused({ driver, running, isEvicted }: Kept<{ close?(): void }>): void {
  if (isEvicted && running === 0) driver.close?.();
}
