import { startControlPlane } from "./start-control-plane.ts";

/** Vitest runs this once, before all files. The programs were found or built before. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const controlPlane = await startControlPlane({ kwok: { nodes: 3 } });
  process.env.FAIRLEAD_TEST_KUBERNETES = JSON.stringify(controlPlane.access);
  return () => controlPlane.stop();
}
