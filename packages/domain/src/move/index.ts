export * from "./judge-gates.ts";
export * from "./move.ts";
export * from "./move-states.ts";
export * from "./place-at.ts";
export * from "./plan-move.ts";
