import type { CreateExposure, Exposure } from "@fairlead/domain/exposure";

type Spec = Pick<CreateExposure, "ports" | "strategy">;
type Used = Spec & { addresses: readonly string[] };

/** inEffectOf returns what clients use of an exposure. While it is paused, that is the spec from before. */
export function inEffectOf(exposure: Used & Pick<Exposure, "specInEffect">): Used {
  const { ports, strategy } = exposure.specInEffect ?? exposure;
  return { ports, strategy, addresses: exposure.addresses };
}

/** describeBreaks lists what a change of an exposure ends for its clients. */
export function describeBreaks(before: Used, after: Spec): string[] {
  const left = new Set(after.ports.map(nameOf));
  const closed = before.ports.filter((port) => !left.has(nameOf(port)));
  const breaks = closed.map(({ port, protocol }) => `Port ${port} ${protocol} closes. Connections to it end.`);
  if (poolOf(before.strategy) !== poolOf(after.strategy) && before.addresses.length > 0)
    breaks.push(
      `The address changes. Clients must use the new one; connections to ${before.addresses.slice(0, 3).join(", ")} end.`,
    );
  return breaks;
}

function nameOf({ port, protocol }: Spec["ports"][number]): string {
  return `${protocol}/${port}`;
}

/** The address stays as long as the pool stays the same. */
export function poolOf(strategy: Spec["strategy"]): string | null {
  return "poolId" in strategy ? (strategy.poolId ?? null) : null;
}
