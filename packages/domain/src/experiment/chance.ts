/** Chance returns pseudorandom numbers in [0, 1), the same sequence for the same seed. */
export type Chance = () => number;

/** chanceOf is mulberry32: small, uniform, and the same on every platform. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** pick returns count random items with equal probability, in their original order. */
export function pick<Item>(items: readonly Item[], count: number, chance: Chance): Item[] {
  const left = items.map((item, index) => ({ item, index }));
  const taken: typeof left = [];
  while (taken.length < count && left.length > 0) taken.push(...left.splice(Math.floor(chance() * left.length), 1));
  return taken.sort((a, b) => a.index - b.index).map(({ item }) => item);
}
