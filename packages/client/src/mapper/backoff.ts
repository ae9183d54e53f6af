const firstMs = 250;
const mostMs = 30_000;

/** backoffMs doubles up to half a minute; half of it is chance, so that clients of a server that is back come one by one. */
export function backoffMs(failures: number, random: () => number): number {
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(Math.max(failures, 1) - 1, 20));
  return whole / 2 + (whole / 2) * random();
}
