import type { BgpSession, Route } from "@fairlead/domain";

export type Member = {
  key: string;
  name: string;
  /** Ours: it reports itself. */
  nodeId: string | null;
  /** Of the routes, those that lead here; null for who is no next hop. */
  routes: number | null;
};
export type Line = { from: string; to: string; isUp: boolean };
/** From the router on the left to the balancers on the right; a column may be empty. */
export type Picture = { columns: { title: string; members: Member[] }[]; lines: Line[] };

const columnOf: Record<string, number> = { router: 0, reflector: 1, speaker: 2 };

type Drawn = Pick<BgpSession, "clusterId" | "nodeId" | "nodeName" | "role" | "peerAddress" | "peerName" | "state">;

/** layTopology draws who has a session with whom. A line is up when both of its ends say so, as far as they are ours. */
export function layTopology(sessions: readonly Drawn[], routes: readonly Pick<Route, "nextHops">[]): Picture {
  const columns: Member[][] = [[], [], []];
  const known = new Set<string>();
  const add = (column: number, member: Member) => {
    if (known.has(member.key)) return;
    known.add(member.key);
    columns[column]?.push(member);
  };
  for (const { clusterId, nodeId, nodeName, role } of sessions) {
    const column = columnOf[role];
    if (column === undefined) continue;
    const ledTo = routes.filter((route) => route.nextHops.some((hop) => hop.nodeId === nodeId)).length;
    add(column, {
      key: keyOf(clusterId, column, nodeName),
      name: nodeName,
      nodeId,
      routes: column === 2 ? ledTo : null,
    });
  }
  const lines = new Map<string, Line>();
  for (const session of sessions) {
    const own = columnOf[session.role];
    if (own === undefined) continue;
    const name = session.peerName || session.peerAddress;
    const other = [0, 1, 2].find((each) => each !== own && known.has(keyOf(session.clusterId, each, name)));
    const column = other ?? strangersColumn(own);
    const key = keyOf(session.clusterId, column, name);
    add(column, { key, name, nodeId: null, routes: null });
    const ends = [
      { column: own, key: keyOf(session.clusterId, own, session.nodeName) },
      { column, key },
    ];
    const [from, to] = ends.sort((a, b) => a.column - b.column);
    if (!from || !to) continue;
    const line = { from: from.key, to: to.key, isUp: session.state === "established" };
    const before = lines.get(`${line.from} ${line.to}`);
    lines.set(`${line.from} ${line.to}`, { ...line, isUp: line.isUp && before?.isUp !== false });
  }
  const titles = ["Routers", "Reflectors", "Balancers"];
  return {
    columns: columns.map((members, i) => ({
      title: titles[i] ?? "",
      members: members.sort((a, b) => (a.name < b.name ? -1 : 1)),
    })),
    lines: [...lines.values()],
  };
}

/** A peer that is none of ours stands where those of its kind would: balancers and routers talk to reflectors or to each other. */
function strangersColumn(own: number): number {
  return own === 1 ? 0 : 1;
}

const keyOf = (clusterId: string, column: number, name: string): string => `${clusterId}/${column}/${name}`;
