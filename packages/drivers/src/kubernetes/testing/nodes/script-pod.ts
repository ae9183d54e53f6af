import { realpathSync } from "node:fs";
import path from "node:path";
import { answerImage } from "./start-nodes.ts";

/**
 * scriptPod returns a container that runs a script of this checkout with this Node, and its volumes. Everything is mounted from
 * the node. Nothing of the image is used.
 */
export function scriptPod(script: string, args: readonly string[] = []): { container: object; volumes: object[] } {
  const mounted = [...new Set([checkout(), realpathSync(process.execPath, "utf8"), "/lib", "/lib64", "/usr"])];
  const name = (at: number) => `mounted-${at}`;
  return {
    container: {
      ...{ image: answerImage, imagePullPolicy: "Never", command: [process.execPath, script, ...args] },
      volumeMounts: mounted.map((mountPath, at) => ({ name: name(at), mountPath, readOnly: true })),
    },
    volumes: mounted.map((each, at) => ({ name: name(at), hostPath: { path: each } })),
  };
}

function checkout(): string {
  return path.resolve(import.meta.dirname, "../../../../../..");
}
