import { provideNodes } from "./provide.ts";

/** Vitest runs this once, before all files. */
export default async function globalSetup(): Promise<void> {
  // Checked before minutes of building.
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    throw new Error("Test nodes need kernel namespaces: run these tests as root on Linux.");
  process.env.FAIRLEAD_KUBERNETES_NODES_BIN = await provideNodes();
}
