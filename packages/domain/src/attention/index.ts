export * from "./attention.ts";
export * from "./kinds.ts";
export * from "./to-attention.ts";
