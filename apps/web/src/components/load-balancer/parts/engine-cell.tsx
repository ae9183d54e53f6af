import type { Replica } from "@fairlead/domain/load-balancer";
import { LongText } from "@/components/ui/long-text.tsx";

type Engine = Pick<Replica, "engine" | "engineReason" | "refusedEngines">;

/** The engine of a replica, the reason for it, and on click why no better engine is used. */
export function EngineCell({ engine, engineReason, refusedEngines }: Engine) {
  if (!engine && !engineReason) return <span className="text-muted">not known yet</span>;
  return (
    <>
      {engine ? <span className="font-medium font-mono text-[0.75rem]">{engine}</span> : <span>none</span>}{" "}
      <span className="text-muted">{withoutSubject(engineReason, engine)}</span>
      {refusedEngines.length > 0 ? (
        <details>
          <summary className="w-fit cursor-pointer text-muted text-xs hover:text-ink">
            Other engines {refusedEngines.map((each) => each.engine).join(", ")}?
          </summary>
          <ul className="flex flex-col gap-1 py-1 text-xs">
            {refusedEngines.map((each) => (
              <li key={each.engine}>
                <span className="font-mono">{each.engine}</span>{" "}
                <span className="text-muted">
                  <LongText text={each.reason} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

/** The sentence starts with the engine's name, which is already shown before it. */
function withoutSubject(reason: string, engine: string): string {
  return engine && reason.startsWith(`${engine} `) ? reason.slice(engine.length + 1) : reason;
}
