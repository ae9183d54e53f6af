import type { UpdatePhase } from "@fairlead/domain/routing";

/** Display names of the phases of an update, and their start and end. The sum of all daemons comes first. */
export const phaseWords: Record<UpdatePhase, { title: string; between: string }> = {
  converge: { title: "Announced to kernel", between: "all routing daemons together" },
  find: {
    title: "Detected",
    between: "from when the first backend is up, or the last one is down, to the first probe with that result",
  },
  notice: { title: "Processed", between: "from the first probe result to the announcement" },
  reflect: { title: "To the reflector", between: "from the announcement to the reflector's table" },
  deliver: { title: "To the router", between: "from the reflector's table to the router's" },
  write: { title: "Into the kernel", between: "from the router's table to its kernel" },
  carry: {
    title: "To packets",
    between: "from the kernel to the first packet at the new next hop, or the last at the old one",
  },
};

export const shownPhases = Object.keys(phaseWords) as UpdatePhase[];
