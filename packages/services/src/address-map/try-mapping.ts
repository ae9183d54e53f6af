import { invalid } from "@fairlead/domain";
import { isOwnAddress } from "@fairlead/domain/address";
import type { TriedMapping, TryMapping } from "@fairlead/domain/address-map";
import { KeyLimiter } from "../access/api-key/limiter.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { openMap } from "./open.ts";
import { tryEnd } from "./probe/try-end.ts";

/** Per organisation. A probe is for interactive use; for monitoring there are health checks. */
export const triesPerMinute = 60;
/** The most ends of one instance tried at once; few exposures have more ports in both families. */
const mostEnds = 40;

const limiter = new KeyLimiter({
  prefix: "map-try:",
  describe: (most) => `The limit of ${most} tries of address maps a minute is reached.`,
});

type End = { protocol: string; externalAddress: string; externalPort: number; serverName: string | null };

/**
 * tryMapping connects to the external ends of an instance, as the map has them at this moment, and returns the results.
 * It requires permission to change the exposure: it causes traffic from the control plane's network.
 */
export async function tryMapping(
  ctx: ServiceContext,
  input: TryMapping,
  isRefused: (address: string) => boolean = isOwnAddress,
): Promise<TriedMapping> {
  authorize(ctx, "exposure:write");
  await openMap(ctx, input.id);
  await limiter.take(ctx.db, { id: ctx.organizationId, requestsPerMinute: triesPerMinute }, ctx.now);
  const ends = await selectEnds(ctx, input);
  if (ends.length === 0)
    throw invalid(["instance"], `no instance of this map is called ${input.instance}: take one of its entries`);
  const tried = new Map<string, Promise<TriedMapping["ends"][number]>>();
  const skipped: string[] = [];
  for (const { protocol, externalAddress, externalPort, serverName } of ends) {
    if (externalAddress === "") skipped.push(`Port ${externalPort}: it has no external address yet.`);
    else if (protocol !== "tcp") skipped.push(`${externalAddress} port ${externalPort}: UDP has no connection to try.`);
    else if (tried.size < mostEnds)
      tried.set(
        `${externalAddress} ${externalPort}`,
        tryEnd({
          ...{ host: externalAddress, port: externalPort, by: input.by, isRefused },
          serverName: input.serverName ?? serverName ?? undefined,
        }),
      );
    else skipped.push(`${externalAddress} port ${externalPort}: ${mostEnds} ends are tried at once.`);
  }
  return { instance: input.instance, at: ctx.now, ends: await Promise.all(tried.values()), skipped };
}

function selectEnds({ db, organizationId }: ServiceContext, { id, instance }: TryMapping): Promise<End[]> {
  return db.addressMapping.findMany({
    where: { organizationId, exposureId: id, instance },
    select: { protocol: true, externalAddress: true, externalPort: true, serverName: true },
    orderBy: [{ externalAddress: "asc" }, { externalPort: "asc" }],
  });
}
