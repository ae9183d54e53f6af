import type { AuditEntry } from "@fairlead/domain/access";
import { expect, it } from "vitest";
import { readExposureSpec } from "./exposure-spec.ts";
import { versionsOf } from "./versions.ts";

const spec = {
  clusterId: "clu_01kav3x0zq8w4m2n6r5t7y9b1c",
  name: "shop",
  workload: { namespace: "shop", kind: "deployment", name: "web" },
  ports: [{ port: 443, protocol: "tcp" }],
  strategy: { type: "ecmp", replicas: 2, poolId: "pool_01kav3x0zq8w4m2n6r5t7y9b1c" },
  healthCheck: null,
  labels: { tier: "front" },
  addresses: ["192.0.2.1"],
};

function entry(action: string, before: AuditEntry["before"], after: AuditEntry["after"]): AuditEntry {
  return {
    id: `aud_${action}`,
    at: new Date(0),
    actorKind: "user",
    actorId: "usr_1",
    actorName: "Ada",
    action,
    subjectKind: "exposure",
    subjectId: "exp_1",
    subjectName: "shop",
    before,
    after,
  };
}

it("lists versions with what changed, without the actions that have no spec", () => {
  const changed = { ...spec, addresses: [], labels: { tier: "front", team: "checkout" } };
  const versions = versionsOf(
    [
      entry("exposure.delete", changed, null),
      entry("exposure.update", changed, { ...changed, addresses: ["192.0.2.2"] }),
      entry("exposure.update", spec, changed),
      entry("exposure.update-map-access", { networks: [] }, { networks: ["10.0.0.0/8"] }),
      entry("exposure.create", null, spec),
    ],
    readExposureSpec,
  );
  expect(versions.map(({ id, isFirst }) => [id, isFirst])).toEqual([
    ["aud_exposure.update", false],
    ["aud_exposure.create", true],
  ]);
  expect(versions[0]?.changes).toEqual([{ path: "labels.team", before: undefined, after: "checkout" }]);
});

it("returns only what a change may set, so that a version can be restored", () => {
  const { clusterId: _, addresses: __, ...settable } = spec;
  expect(readExposureSpec(spec)).toEqual(settable);
});

it.each([null, "text", { ...spec, strategy: { type: "of an older version" } }])("can't restore %j", (stored) => {
  expect(readExposureSpec(stored)).toBeNull();
});

it("keeps a version that can't be read", () => {
  const versions = versionsOf([entry("exposure.update", { name: 1 }, { name: 2 })], readExposureSpec);
  expect(versions).toMatchObject([{ id: "aud_exposure.update", spec: null, isFirst: false }]);
});
