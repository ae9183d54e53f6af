import { classNames } from "@/components/ui/class-names.ts";
import { Section } from "@/components/ui/section.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { countOf } from "@/components/words/numbers.ts";
import type { Member, Picture } from "./lay-topology.ts";

const rowRem = 3;
/** More are a list's affair. */
const mostDrawn = 24;

/** Who talks to whom: routers, reflectors, balancers. */
export function Topology({ picture, ofRoutes }: { picture: Picture; ofRoutes: number }) {
  const { columns, lines } = picture;
  const filled = columns.filter(({ members }) => members.length > 0);
  const rows = Math.max(0, ...filled.map(({ members }) => members.length));
  if (rows === 0 || rows > mostDrawn) return null;
  const places = new Map<string, { x: number; y: number }>();
  for (const [i, { members }] of filled.entries())
    for (const [j, { key }] of members.entries())
      places.set(key, { x: (100 * (i + 0.5)) / filled.length, y: (100 * (j + 0.5)) / members.length });
  const down = lines.filter(({ isUp }) => !isUp).length;
  return (
    <Section
      title="Topology"
      hint={
        down === 0
          ? `${countOf(lines.length, "session")}, all up.`
          : `${down} of ${countOf(lines.length, "session")} down.`
      }
    >
      <div className="grid auto-cols-fr grid-flow-col pb-1 text-center text-muted text-xs">
        {filled.map(({ title }) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      <div className="relative" style={{ height: `${rows * rowRem}rem` }}>
        <svg className="absolute inset-0 size-full" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          {lines.map(({ from, to, isUp }) => {
            const [a, b] = [places.get(from), places.get(to)];
            if (!a || !b) return null;
            return (
              <line
                key={`${from} ${to}`}
                x1={a.x}
                y1={a.y}
                x2={b.x}
                y2={b.y}
                vectorEffect="non-scaling-stroke"
                className={isUp ? "stroke-line-strong" : "stroke-bad"}
                strokeWidth={isUp ? 1.5 : 2}
                strokeDasharray={isUp ? undefined : "4 4"}
              />
            );
          })}
        </svg>
        {filled.flatMap(({ members }) =>
          members.map((member) => {
            const place = places.get(member.key);
            const isDown = lines.some(({ from, to, isUp }) => !isUp && (from === member.key || to === member.key));
            return (
              <div
                key={member.key}
                className="absolute -translate-x-1/2 -translate-y-1/2"
                style={{ left: `${place?.x}%`, top: `${place?.y}%` }}
              >
                <Place member={member} isDown={isDown} ofRoutes={ofRoutes} />
              </div>
            );
          }),
        )}
      </div>
    </Section>
  );
}

function Place({ member, isDown, ofRoutes }: { member: Member; isDown: boolean; ofRoutes: number }) {
  const { name, nodeId, routes } = member;
  return (
    <div
      className={classNames(
        "flex max-w-28 flex-col items-center rounded-md border bg-raised px-2 py-0.5 text-sm leading-tight sm:max-w-44 sm:px-3",
        isDown && "border-bad",
      )}
    >
      {nodeId ? (
        <TextLink href={`/nodes/${nodeId}`} className="max-w-full truncate font-medium">
          {name}
        </TextLink>
      ) : (
        <span className="max-w-full truncate font-medium">{name}</span>
      )}
      {nodeId === null || routes !== null ? (
        <span className="max-w-full truncate text-muted text-xs">
          {routes === null ? "not ours" : `${routes} of ${countOf(ofRoutes, "route")}`}
        </span>
      ) : null}
    </div>
  );
}
