import { provideNodes } from "./provide.ts";

/** Vitest runs this once, before all files. */
export default async function globalSetup(): Promise<void> {
  process.env.FAIRLEAD_KUBERNETES_NODES_BIN = await provideNodes();
}
