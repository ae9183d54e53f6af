const base = "http://here.invalid";

/**
 * safePath returns the path to open after sign-in: a local path, or the start page. Anything that a browser could read
 * as another site ("//evil", "/\evil", "https:evil") is not a local path.
 */
export function safePath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith("/") || wanted.length > 2_000) return "/";
  const url = URL.parse(wanted, base);
  if (!url || url.origin !== base) return "/";
  const path = url.pathname + url.search + url.hash;
  const leadsBack = url.pathname.startsWith("/sign-in") || url.pathname.startsWith("/api/");
  return leadsBack || path.startsWith("//") ? "/" : path;
}
