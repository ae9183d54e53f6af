const firstMs = 250;
const mostMs = 30_000;

/** backoffMs doubles up to 30 s. Half of it is random, so that clients of a recovered server reconnect one by one. */
export function backoffMs(failures: number, random: () => number): number {
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(Math.max(failures, 1) - 1, 20));
  return whole / 2 + (whole / 2) * random();
}
