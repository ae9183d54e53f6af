/** A part of a whole, both as counts. */
export function Share({ part, total }: { part: number; total: number }) {
  return (
    <>
      {part}
      <span className="font-normal text-lg text-muted"> of {total}</span>
    </>
  );
}
