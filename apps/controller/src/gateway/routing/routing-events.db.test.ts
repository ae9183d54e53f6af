import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AgentEventSchema, BgpStatusSchema } from "@fairlead/agent-protocol";
import { getNode, listEvents } from "@fairlead/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GatewayStage, setGatewayStage } from "../testing/gateway-stage.ts";
import { enrollTestAgent, type TestAgent } from "../testing/test-agent.ts";

let stage: GatewayStage;
beforeAll(async () => {
  stage = await setGatewayStage();
});
afterAll(() => stage.close());

const join = async (nodeName: string, role: string) =>
  stage.track(await enrollTestAgent(stage.ctx, stage.gateway.port, stage.clusterId, nodeName, [role]));

/** The events of a node, the newest last, without those that every agent has. */
async function eventsOf(agent: TestAgent) {
  const { items } = await listEvents(
    { ...stage.ctx, now: new Date() },
    { subjectId: agent.nodeId, sort: "at", direction: "asc", limit: 200 },
  );
  return items
    .filter(({ reason }) => reason !== "AgentReporting" && reason !== "AgentEnrolled" && reason !== "NodeAdded")
    .map(({ reason, severity, message }) => ({ reason, severity, message }));
}

it("stores each kind of fault that agents report, with its message", async () => {
  const agent = await join("rr-1", "reflector");
  const faults: [string, string, boolean][] = [
    ["BgpSessionUp", "The BGP session with 10.9.0.1 of AS 65021 is up.", false],
    ["BgpSessionDown", "The BGP session with 10.9.0.1 of AS 65021 is down: the hold timer expired.", true],
    ["BgpSessionNotUp", "There has been no BGP session with 10.9.0.1 of AS 65021 for 15s.", true],
    ["BgpSessionFlaps", "The BGP session with 10.9.0.1 of AS 65021 came up 4 times within a minute.", true],
    ["BgpPasswordWrong", "A peer that uses TCP MD5 has another password.", true],
    ["BgpTtlTooLow", "A peer is further away than the TTL guard allows.", true],
    ["BgpRouteRefused", "10.9.0.1 offers 198.51.100.0/24, which is refused.", true],
    ["BgpNextHopShared", "10.9.0.1 and 10.9.0.2 both offer the next hop 10.9.0.2.", true],
    ["AddressChanged", "eth0 has the address 10.9.0.9 now, and had 10.9.0.1.", false],
    ["RoutesKept", "All peers are lost: routes are retained.", true],
    ["RoutesGivenUp", "No peer came back: routes are withdrawn.", true],
    ["RouteNotWritten", "203.0.113.7/32: another program has a route to it, which stays.", true],
    ["RouteWritten", "203.0.113.7/32 is written.", false],
    ["NotAnnounced", "203.0.113.7/32: Not announced: the probe has been failing.", true],
  ];
  const began = Date.now() - 60_000;
  const events = faults.map(([reason, message, warning], index) =>
    create(AgentEventSchema, { reason, message, warning, at: timestampFromDate(new Date(began + index)) }),
  );
  await agent.report({ events });
  expect(await eventsOf(agent)).toEqual(
    faults.map(([reason, message, warning]) => ({
      reason,
      severity: warning ? "warning" : "info",
      message: `rr-1: ${message}`,
    })),
  );
});

it("reports once that a node's clock is wrong, shows it on the node, and reports when it is right again", async () => {
  const agent = await join("late-1", "router");
  const sentAt = (minutes: number) => timestampFromDate(new Date(Date.now() + minutes * 60_000));
  await agent.report({ sentAt: sentAt(0) });
  await agent.report({ sentAt: sentAt(61) });
  await agent.report({ sentAt: sentAt(59) });
  const off =
    "Its clock is 1 h ahead of the control plane's: how long its updates take isn't known. Set its time, by NTP.";
  expect(await eventsOf(agent)).toEqual([{ reason: "ClockOff", severity: "warning", message: `late-1: ${off}` }]);
  const node = await getNode(stage.ctx, agent.nodeId);
  expect(node.agents.flatMap((each) => each.warnings)).toEqual([expect.stringContaining("Its clock is ")]);
  await agent.report({ sentAt: sentAt(0) });
  expect((await eventsOf(agent)).map(({ reason }) => reason)).toEqual(["ClockOff", "ClockRight"]);
  const { agents } = await getNode(stage.ctx, agent.nodeId);
  expect(agents.flatMap((each) => each.warnings)).toEqual([]);
});

it("reports that two hosts of a cluster have the same address, but not for two roles of one host", async () => {
  const at = (address: string) => ({ bgp: create(BgpStatusSchema, { address }) });
  const [first, twin, beside, again] = [
    await join("host-1", "speaker"),
    await join("host-2", "speaker"),
    await join("host-1", "reflector"), // another role of the same host
    await join("host-1", "speaker"), // the same host, enrolled again
  ];
  await first.report(at("10.9.0.41"));
  await beside.report(at("10.9.0.41"));
  await again.report(at("10.9.0.41"));
  expect(await eventsOf(first)).toEqual([]);
  await twin.report(at("10.9.0.42"));
  expect(await eventsOf(twin)).toEqual([]);
  const moved = create(AgentEventSchema, { reason: "AddressChanged", message: "eth0 has another address." });
  await twin.report({ ...at("10.9.0.41"), events: [moved] });
  await twin.report(at("10.9.0.41"));
  const shared =
    "host-2: It has the address 10.9.0.41, and so has host-1: only one of them gets what is sent there. Give each an address of its own.";
  expect((await eventsOf(twin)).filter(({ reason }) => reason !== "AddressChanged")).toEqual([
    { reason: "AddressShared", severity: "warning", message: shared },
  ]);
});
