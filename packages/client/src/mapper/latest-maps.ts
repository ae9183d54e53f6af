import type { AddressMap } from "../map/address-map.ts";

/** latestMaps yields the newest map whenever it changes, until one of the signals aborts. */
export async function* latestMaps(
  newest: () => AddressMap | null,
  onChange: (wake: () => void) => () => void,
  ends: readonly AbortSignal[],
): AsyncGenerator<AddressMap, void> {
  let wake = () => {};
  let isNew = true;
  const call = () => {
    isNew = true;
    wake();
  };
  const off = onChange(call);
  for (const each of ends) each.addEventListener("abort", call);
  try {
    while (!ends.some((each) => each.aborted)) {
      const map = isNew ? newest() : null;
      isNew = false;
      if (map) yield map;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (isNew) resolve();
        });
    }
  } finally {
    off();
    for (const each of ends) each.removeEventListener("abort", call);
  }
}
