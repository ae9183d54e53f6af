import { afterEach, expect, it, vi } from "vitest";
import type { KubernetesApi } from "./api.ts";
import { explainKubernetesError } from "./explain-error.ts";
import { type Followed, follow } from "./follow.ts";
import { keepPod, type Pod } from "./objects.ts";

let followed: Followed<Pod> | null = null;
afterEach(() => followed?.stop());

const access = { type: "in-cluster" } as const;

it("takes what answers otherwise than an apiserver for trouble, and nothing of it for what is there", async () => {
  const get = vi.fn(async () => ({ hello: "world" }));
  const troubles: unknown[] = [];
  followed = follow(
    { get } as unknown as KubernetesApi,
    { path: "/api/v1/pods", keep: keepPod },
    {
      onChange: () => {},
      onTrouble: (error) => troubles.push(error),
      times: { firstRetryMs: 1, lastRetryMs: 5 },
    },
  );
  await vi.waitFor(() => expect(troubles.length).toBeGreaterThan(2));
  expect(troubles).not.toContain(null);
  expect(explainKubernetesError(troubles[0], { what: "list pods", access }).message).toContain(
    "doesn't answer as a Kubernetes API does",
  );
  expect(followed.isWhole()).toBe(false);
  expect(followed.heardAt()).toBeNull();
});
