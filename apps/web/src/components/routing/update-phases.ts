import type { UpdatePhase } from "@fairlead/domain/routing";

/** Display names of the phases of an update, and their start and end. The sum of all daemons comes first. */
export const phaseWords: Record<UpdatePhase, { title: string; between: string }> = {
  converge: { title: "Announced to kernel", between: "all routing daemons together" },
  find: {
    title: "Detected",
    between: "from a backend’s readiness, or the end of the last one, to the first probe result",
  },
  notice: { title: "Processed", between: "from the first probe result to the announcement" },
  reflect: { title: "To the reflector", between: "from the announcement to the reflector’s table" },
  deliver: { title: "To the router", between: "from the reflector’s table to the router’s" },
  write: { title: "Into the kernel", between: "from the router’s table to its kernel" },
  carry: { title: "To packets", between: "from the kernel to the first packet, or the last" },
};

export const shownPhases = Object.keys(phaseWords) as UpdatePhase[];
