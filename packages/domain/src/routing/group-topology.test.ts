import { describe, expect, it } from "vitest";
import { groupTopology, type KernelFlow, type SessionEnd } from "./group-topology.ts";

const end = (role: string, nodeName: string, peerName: string, is: Partial<SessionEnd> = {}): SessionEnd => ({
  clusterId: "clu_1",
  nodeId: `node_${nodeName}`,
  nodeName,
  role,
  peerName,
  family: 4,
  isUp: true,
  isStale: false,
  ...is,
});
const flow = (routerName: string, balancerName: string, weight: number, throughputBps: number | null): KernelFlow => ({
  clusterId: "clu_1",
  routerName,
  balancerName,
  weight,
  throughputBps,
  isStale: false,
});
const namesOf = ({ places }: ReturnType<typeof groupTopology>) => places.map(({ column, name }) => `${column} ${name}`);
const linksOf = ({ links }: ReturnType<typeof groupTopology>) => links.map(({ up, down, stale }) => [up, down, stale]);

describe("the topology", () => {
  it("shows each session once, though both ends report it", () => {
    const picture = groupTopology(
      [
        end("speaker", "n1", "rr-1"),
        end("reflector", "rr-1", "n1"),
        end("router", "tor", "rr-1"),
        end("reflector", "rr-1", "tor"),
      ],
      [],
    );
    expect(namesOf(picture)).toEqual(["router tor", "reflector rr-1", "speaker n1"]);
    expect(picture.links).toEqual([
      { from: "clu_1/reflector/rr-1", to: "clu_1/speaker/n1", up: 1, down: 0, stale: 0 },
      { from: "clu_1/router/tor", to: "clu_1/reflector/rr-1", up: 1, down: 0, stale: 0 },
    ]);
  });

  it.each([
    ["both ends are up", {}, {}, [1, 0, 0]],
    ["one end reports that it is down", {}, { isUp: false }, [0, 1, 0]],
    ["the other end reports that it is down", { isUp: false }, {}, [0, 1, 0]],
    ["one end is silent", { isStale: true }, {}, [0, 0, 1]],
    ["one end is silent, and the other reports that it is down", { isStale: true }, { isUp: false }, [0, 1, 0]],
    ["a silent end last reported that it is down", { isStale: true, isUp: false }, { isStale: true }, [0, 0, 1]],
  ])("prefers reports of ends that aren't silent: %s", (_, speaker, reflector, counts) => {
    const picture = groupTopology(
      [end("speaker", "n1", "rr-1", speaker), end("reflector", "rr-1", "n1", reflector)],
      [],
    );
    expect(linksOf(picture)).toEqual([counts]);
  });

  it("shows third-party routers next to their reflectors", () => {
    const picture = groupTopology([end("reflector", "rr-1", "tor-9"), end("speaker", "n1", "rr-1")], []);
    expect(namesOf(picture)).toEqual(["router tor-9", "reflector rr-1", "speaker n1"]);
    expect(picture.places[0]).toMatchObject({ nodeId: null });
  });

  it("links balancers and routers if there are no reflectors", () => {
    const picture = groupTopology([end("speaker", "n1", "tor"), end("router", "tor", "n1")], []);
    expect(picture.links).toMatchObject([{ from: "clu_1/router/tor", to: "clu_1/speaker/n1" }]);
  });

  it("has each balancer's share by kernel weights, and its measured traffic", () => {
    const ends = [end("speaker", "n1", "tor"), end("speaker", "n2", "tor"), end("router", "tor", "n1")];
    const { flows } = groupTopology(ends, [flow("tor", "n1", 3, 10e6), flow("tor", "n2", 1, 30e6)]);
    expect(flows).toMatchObject([
      { to: "clu_1/speaker/n1", share: 0.75, measuredShare: 0.25, throughputBps: 10e6 },
      { to: "clu_1/speaker/n2", share: 0.25, measuredShare: 0.75, throughputBps: 30e6 },
    ]);
    const idle = groupTopology(ends, [flow("tor", "n1", 0, 0), flow("tor", "n2", 0, null)]);
    expect(idle.flows.map(({ share, measuredShare }) => [share, measuredShare])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it("shows many balancers as one place, with all of their sessions", () => {
    const many = Array.from({ length: 100 }, (_, i) => `n${i}`);
    const picture = groupTopology(
      many.flatMap((name, i) => [
        end("speaker", name, "rr-1", { isUp: i !== 7 }),
        end("speaker", name, "rr-2", { isStale: i === 9 }),
        end("router", "tor", "rr-1"),
      ]),
      many.map((name) => flow("tor", name, 1, 1e6)),
    );
    expect(picture.places.map(({ name, size }) => [name, size])).toEqual([
      ["tor", 1],
      ["rr-1", 1],
      ["rr-2", 1],
      ["", 100],
    ]);
    const toMany = picture.links.filter(({ to }) => to === "clu_1/speaker/*");
    expect(linksOf({ ...picture, links: toMany })).toEqual([
      [99, 1, 0],
      [99, 0, 1],
    ]);
    expect(picture.flows).toEqual([
      {
        from: "clu_1/router/tor",
        to: "clu_1/speaker/*",
        share: 1,
        throughputBps: 100e6,
        measuredShare: 1,
        isStale: false,
      },
    ]);
  });
});
