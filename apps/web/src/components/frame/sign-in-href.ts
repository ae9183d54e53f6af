/** signInHref links to the sign-in page, and back to the current page. */
export function signInHref(here: string): string {
  return here === "/" ? "/sign-in" : `/sign-in?returnTo=${encodeURIComponent(here)}`;
}
