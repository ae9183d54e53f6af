/** The place of a figure that is not there: yet, or any more. */
export function NoneYet({ deleting }: { deleting: boolean }) {
  return <span className="font-normal text-lg text-muted tracking-normal">{deleting ? "none" : "none yet"}</span>;
}
