const most = 256;

/** keepDrivers reuses a driver while its key stays the same, because a driver keeps connections open. */
export function keepDrivers<Driver>(): (key: readonly unknown[], open: () => Driver) => Driver {
  const kept = new Map<string, Driver>();
  return (key, open) => {
    const name = JSON.stringify(key);
    const driver = kept.get(name) ?? open();
    kept.delete(name);
    kept.set(name, driver);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return driver;
  };
}
