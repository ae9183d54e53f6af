export type FlowEdge = { from: string; to: string; text: string; isDirected: boolean };
export type FlowGroup = { title: string; members: string[] };
export type Flow = { edges: FlowEdge[]; groups: FlowGroup[] };

const node = /^(\w+)(?:\["([^"]+)"\]|\[([^\]]+)\])?\s*/;
/** The three kinds of arrows that the guides use, with or without a text. */
const arrow = /^(?:(-->|---)|-- (.+?) (-->|---)|-\. (.+?) \.->)\s*/;

/** parseFlow reads a Mermaid flowchart. It returns null for what it doesn't support, which is then shown as text. */
export function parseFlow(text: string): Flow | null {
  const [head, ...lines] = text.split("\n").map((line) => line.trim());
  if (!/^flowchart (LR|TD)$/.test(head ?? "")) return null;
  const titles = new Map<string, string>();
  const edges: FlowEdge[] = [];
  const groups: FlowGroup[] = [];
  let group: { title: string; ids: Set<string> } | null = null;
  const done: { title: string; ids: Set<string> }[] = [];
  for (const line of lines.filter(Boolean)) {
    const opened = /^subgraph (\w+)(?: \[(.+)\])?$/.exec(line);
    if (opened?.[1]) {
      group = { title: opened[2] ?? opened[1], ids: new Set() };
      titles.set(opened[1], group.title);
      done.push(group);
    } else if (line === "end") group = null;
    else {
      const read = readChain(line, titles);
      if (!read) return null;
      for (const id of read.ids) group?.ids.add(id);
      edges.push(...read.edges);
    }
  }
  const title = (id: string) => titles.get(id) ?? id;
  for (const { title: name, ids } of done) groups.push({ title: name, members: [...ids].map(title) });
  return { edges: edges.map((edge) => ({ ...edge, from: title(edge.from), to: title(edge.to) })), groups };
}

/** readChain reads a line such as A[client] -- packet --> B --> C. */
function readChain(line: string, titles: Map<string, string>): { ids: string[]; edges: FlowEdge[] } | null {
  let rest = line;
  const ids: string[] = [];
  const edges: FlowEdge[] = [];
  let pending: { from: string; text: string; isDirected: boolean } | null = null;
  while (rest !== "") {
    const found = node.exec(rest);
    const id = found?.[1];
    if (!found || !id) return null;
    const title = found[2] ?? found[3];
    if (title) titles.set(id, title);
    ids.push(id);
    if (pending) edges.push({ ...pending, to: id });
    rest = rest.slice(found[0].length);
    if (rest === "") return { ids, edges };
    const between = arrow.exec(rest);
    if (!between) return null;
    const isDirected = between[1] !== "---" && between[3] !== "---";
    pending = { from: id, text: between[2] ?? between[4] ?? "", isDirected };
    rest = rest.slice(between[0].length);
  }
  return null;
}
