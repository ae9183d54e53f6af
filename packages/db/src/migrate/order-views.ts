import { MigrationRefused } from "./refused.ts";

type Named = { name: string; sql: string };

/** orderViews puts each view after the views that its text reads, and otherwise orders them by name. */
export function orderViews<View extends Named>(views: readonly View[]): View[] {
  const ordered: View[] = [];
  let rest = views.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  while (rest.length > 0) {
    const ready = rest.filter((view) => !rest.some((other) => other !== view && isRead(other.name, view.sql)));
    if (ready.length === 0)
      throw new MigrationRefused(
        `The views ${rest.map(({ name }) => name).join(", ")} read each other in a circle: remove one of the reads, then start again.`,
      );
    ordered.push(...ready);
    rest = rest.filter((view) => !ready.includes(view));
  }
  return ordered;
}

/**
 * Every occurrence of the name in the text counts as a read: a false one only delays a view.
 * Comments don't count.
 */
function isRead(name: string, sql: string): boolean {
  return sql.replaceAll(/--.*/g, "").match(/\w+/g)?.includes(name) ?? false;
}
