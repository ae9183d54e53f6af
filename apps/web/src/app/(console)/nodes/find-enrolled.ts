import type { EnrollmentToken, Node } from "@fairlead/domain";

/** Clocks of the database and the gateway may differ by this much. */
const slackMs = 5_000;

/**
 * findEnrolled picks, from the newest nodes of the cluster, the one that a token brought: the one it was bound to by
 * name, else the first that appeared when the token was used.
 */
export function findEnrolled<Row extends Pick<Node, "name" | "createdAt">>(
  newestFirst: readonly Row[],
  token: Pick<EnrollmentToken, "nodeName" | "createdAt">,
  usedAt: Date,
): Row | undefined {
  if (token.nodeName !== null) return newestFirst.find(({ name }) => name === token.nodeName);
  const around = newestFirst.filter(
    ({ createdAt }) =>
      Math.abs(createdAt.getTime() - usedAt.getTime()) <= slackMs &&
      createdAt >= new Date(token.createdAt.getTime() - slackMs),
  );
  return around.at(-1);
}
