/** The placeholder for a value that does not exist. */
export function NoneYet({ deleting }: { deleting: boolean }) {
  return <span className="font-normal text-lg text-muted tracking-normal">{deleting ? "none" : "none yet"}</span>;
}
