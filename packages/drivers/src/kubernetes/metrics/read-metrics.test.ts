import { expect, it } from "vitest";
import { readMetrics } from "./read-metrics.ts";

const timestamp = "2026-12-01T04:00:00Z";
const window = "10.5s";
const node = (name: string, usage: object) => ({ metadata: { name }, timestamp, window, usage });
const pod = (name: string, containers: object[], other: object = {}) => ({
  ...{ metadata: { name, namespace: "shop" }, timestamp, window, containers },
  ...other,
});
const usage = { cpu: "250m", memory: "64Mi" };

function readsOf(responses: Record<string, object[]>) {
  const paths: string[] = [];
  const list = async <T>(path: string): Promise<T> => {
    paths.push(path);
    return { items: responses[path] } as T;
  };
  return { paths, reads: { list } };
}

it("adds up the containers of each pod, and leaves out what it can't read", async () => {
  const api = "/apis/metrics.k8s.io/v1beta1";
  const { reads, paths } = readsOf({
    [`${api}/nodes`]: [node("a", { cpu: "1500000000n", memory: "1Gi" }), node("b", { cpu: "?", memory: "1Gi" })],
    [`${api}/namespaces/shop/pods`]: [
      pod("one", [{ usage }]),
      pod("two", [{ usage }, { usage: { cpu: "1", memory: "1Ki" } }]),
      pod("none", []),
      pod("starting", [{ usage }, {}]),
      pod("odd", [{ usage }], { window: "soon" }),
      pod("timeless", [{ usage }], { timestamp: "" }),
    ],
  });
  const { nodes, pods } = await readMetrics(reads, ["shop", "idle"], AbortSignal.timeout(1_000));
  const seen = { measuredAt: new Date(timestamp), windowMs: 10_500 };
  expect(nodes).toEqual(new Map([["a", { cpuCores: 1.5, memoryBytes: 2 ** 30, ...seen }]]));
  expect(pods).toEqual(
    new Map([
      ["shop/one", { cpuCores: 0.25, memoryBytes: 2 ** 26, ...seen }],
      ["shop/two", { cpuCores: 1.25, memoryBytes: 2 ** 26 + 2 ** 10, ...seen }],
    ]),
  );
  expect(paths).toEqual([`${api}/nodes`, `${api}/namespaces/shop/pods`, `${api}/namespaces/idle/pods`]);
});
