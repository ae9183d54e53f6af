import { describe, expect, it } from "vitest";
import { layTopology } from "./lay-topology.ts";

const session = (role: string, nodeName: string, peerName: string, state = "established") => ({
  clusterId: "clu_1",
  nodeId: `node_${nodeName}`,
  nodeName,
  role,
  peerName,
  peerAddress: `address of ${peerName}`,
  state: state as "established",
});
const namesOf = ({ columns }: ReturnType<typeof layTopology>) =>
  columns.map(({ members }) => members.map((each) => each.name));
const hop = (nodeId: string) => ({ address: "10.0.0.1", nodeId, nodeName: "", weight: 1, since: new Date(0) });

describe("the picture of routing", () => {
  it("draws each session once, though both ends tell of it", () => {
    const picture = layTopology(
      [
        session("speaker", "n1", "rr-1"),
        session("reflector", "rr-1", "n1"),
        session("router", "tor", "rr-1"),
        session("reflector", "rr-1", "tor"),
      ],
      [],
    );
    expect(namesOf(picture)).toEqual([["tor"], ["rr-1"], ["n1"]]);
    expect(picture.lines).toEqual([
      { from: "clu_1/1/rr-1", to: "clu_1/2/n1", isUp: true },
      { from: "clu_1/0/tor", to: "clu_1/1/rr-1", isUp: true },
    ]);
  });

  it("believes the end that says a session is down", () => {
    for (const states of [
      ["established", "idle"],
      ["idle", "established"],
    ]) {
      const { lines } = layTopology(
        [session("speaker", "n1", "rr-1", states[0]), session("reflector", "rr-1", "n1", states[1])],
        [],
      );
      expect(lines).toMatchObject([{ isUp: false }]);
    }
  });

  it("shows routers of others beside the reflectors that talk to them", () => {
    const picture = layTopology([session("reflector", "rr-1", "tor-9"), session("speaker", "n1", "rr-1")], []);
    expect(namesOf(picture)).toEqual([["tor-9"], ["rr-1"], ["n1"]]);
    expect(picture.columns[0]?.members).toMatchObject([{ nodeId: null, routes: null }]);
  });

  it("joins balancers and routers where there are no reflectors", () => {
    const picture = layTopology([session("speaker", "n1", "tor"), session("router", "tor", "n1")], []);
    expect(namesOf(picture)).toEqual([["tor"], [], ["n1"]]);
    expect(picture.lines).toEqual([{ from: "clu_1/0/tor", to: "clu_1/2/n1", isUp: true }]);
  });

  it("counts the routes that lead to a balancer", () => {
    const { columns } = layTopology(
      [session("speaker", "n1", "rr-1"), session("speaker", "n2", "rr-1")],
      [{ nextHops: [hop("node_n1"), hop("node_n2")] }, { nextHops: [hop("node_n1")] }],
    );
    expect(columns[2]?.members.map((each) => each.routes)).toEqual([2, 1]);
  });
});
