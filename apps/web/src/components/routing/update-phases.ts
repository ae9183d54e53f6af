import type { UpdatePhase } from "@fairlead/domain";

/** How phases of an update are called on screen, and what lies between their ends. That of all daemons together comes first. */
export const phaseWords: Record<UpdatePhase, { title: string; between: string }> = {
  converge: { title: "Announced to kernel", between: "what routing daemons take together" },
  find: {
    title: "Found",
    between: "from a backend’s readiness, or the last one’s end, to the first answer of the probe",
  },
  notice: { title: "Noticed", between: "from the first answer of the probe to the announcement" },
  reflect: { title: "To the reflector", between: "from the announcement to the reflector’s table" },
  deliver: { title: "To the router", between: "from the reflector’s table to the router’s" },
  write: { title: "Into the kernel", between: "from the router’s table to its kernel" },
  carry: { title: "To packets", between: "from the kernel to the first packet, or the last" },
};

export const shownPhases = Object.keys(phaseWords) as UpdatePhase[];
