import { fakeCloudRoute, MemoryCloud } from "./memory-cloud.ts";
import { testCloudRouteContract } from "./testing/contract.ts";

testCloudRouteContract("the fake", async () => {
  const cloud = new MemoryCloud();
  const replicas = ["10.0.0.11", "10.0.0.12"] as const;
  for (const each of replicas) cloud.addInterface(each);
  return {
    driver: fakeCloudRoute(cloud),
    other: fakeCloudRoute(cloud),
    clusterId: "clu_1",
    addresses: ["192.0.2.1", "192.0.2.2"],
    replicas,
    async take(address) {
      const id = cloud.addInterface("10.0.0.99");
      cloud.leads.set(address, id);
      return id;
    },
    async damage(address) {
      cloud.leads.delete(address);
    },
    async check(address, isOn) {
      const at = cloud.interfaces.get(address);
      if (at) at.isChecked = isOn;
    },
    async terminate(replica) {
      cloud.interfaces.delete(replica);
    },
    marks: async () => [...cloud.interfaces.values()].filter((each) => each.isMarked).length,
    async close() {},
  };
});
