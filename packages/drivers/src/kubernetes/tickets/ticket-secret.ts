import type { Change } from "../../driver.ts";
import type { PodSecretRef, PodTickets, PodTicketsDriver } from "../../pod-tickets.ts";
import { KubernetesRefused } from "../access/kubernetes-refused.ts";
import { KubernetesError } from "../api/error.ts";
import type { KubernetesCluster } from "../clusters.ts";
import { exposureLabel, managedBy, us } from "../services/marks.ts";
import type { KubernetesObject } from "../view/objects.ts";
import { ticketFiles } from "./ticket-files.ts";

type Secret = KubernetesObject & { type?: string; data?: Record<string, string> };
type Cluster = Pick<KubernetesCluster, "calls" | "detailOf" | "explain">;

const ordinary = "Opaque";
/** How often a Secret is read and written while another program changes it in between. */
const mostAttempts = 3;
/** Shorter parts of a key could be in any message. */
const shownAtMost = 24;

/**
 * ticketSecrets writes the Secrets from which pods read their ticket keys. It reads a Secret by its name before it writes it, and
 * neither lists nor watches any: so Fairlead needs no permission for others.
 */
export function ticketSecrets({ calls, detailOf, explain }: Cluster): PodTicketsDriver {
  async function find(ref: PodSecretRef, signal: AbortSignal): Promise<Secret | null> {
    const { namespace, name } = ref;
    try {
      return (await calls.readSecret({ namespace, name }, signal)) as Secret;
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 404) return null;
      throw error;
    }
  }

  /** explained never has keys, which an admission webhook or the apiserver may repeat. */
  function explained(error: unknown, { namespace, name }: PodSecretRef, data: Record<string, string> = {}): unknown {
    const what = `write the Secret ${namespace}/${name}`;
    if (!(error instanceof KubernetesError)) {
      const isOutside = error instanceof Error && "code" in error;
      return isOutside ? explain(error, what) : error;
    }
    const { status } = error;
    if (isConflict(error)) return new Error(`another program changed the Secret ${namespace}/${name} at the same time`);
    const detail = detailOf(error);
    const isShown = !Object.values(data).some((each) => detail.includes(each.slice(0, shownAtMost)));
    const why = isShown && detail !== "" ? `: ${detail}` : ` (${status})`;
    if (status === 403)
      return new KubernetesRefused(
        `the cluster doesn't allow Fairlead to ${what}${why}. Apply the Role for it, and create the Secret if the Role doesn't allow that`,
      );
    const isOfSecret = [400, 404, 413, 422].includes(status);
    if (isShown && !isOfSecret) return explain(error, what);
    return new KubernetesRefused(`the cluster rejected the Secret ${namespace}/${name}${why}`);
  }

  async function set(tickets: PodTickets, data: Record<string, string>, signal: AbortSignal): Promise<Change[]> {
    const { namespace, name, exposureId } = tickets;
    const there = await find(tickets, signal);
    if (there) refuseForeign(there, tickets);
    const labels = { [managedBy]: us, [exposureLabel]: exposureId };
    if (there && isAsWanted(there, labels, data)) return [];
    const version = there ? { uid: there.metadata.uid, resourceVersion: there.metadata.resourceVersion } : {};
    const metadata = { name, namespace, labels, ...version };
    const applied = (await calls.applySecret(
      { apiVersion: "v1", kind: "Secret", metadata, type: ordinary, data },
      signal,
    )) as Secret;
    // Apply keeps entries of others.
    const surplus = Object.keys(applied.data ?? {}).filter((each) => !(each in data));
    if (surplus.length > 0)
      await calls.patchSecret(
        { namespace, name },
        { metadata: { uid: applied.metadata.uid }, data: Object.fromEntries(surplus.map((each) => [each, null])) },
        signal,
      );
    return [{ message: `${there ? "changed" : "created"} the Secret ${namespace}/${name}` }];
  }

  return {
    async set(tickets, signal) {
      const { namespace, name } = tickets;
      const data: Record<string, string> = {};
      try {
        for (const [entry, content] of ticketFiles(tickets)) data[entry] = Buffer.from(content).toString("base64");
      } catch (error) {
        throw new KubernetesRefused(`the Secret ${namespace}/${name} can't be written: ${wordsOf(error)}`);
      }
      for (let attempt = 1; ; attempt++) {
        try {
          return await set(tickets, data, signal);
        } catch (error) {
          if (attempt === mostAttempts || !isConflict(error)) throw explained(error, tickets, data);
        }
      }
    },
    async remove(ref, signal) {
      const { namespace, name, exposureId } = ref;
      try {
        const there = await find(ref, signal);
        if (there?.metadata.labels?.[exposureLabel] !== exposureId) return [];
        const { wasThere } = await calls.removeSecret({ namespace, name, uid: there.metadata.uid }, signal);
        return wasThere ? [{ message: `removed the Secret ${namespace}/${name}` }] : [];
      } catch (error) {
        if (error instanceof KubernetesError && error.status === 403) return [];
        throw explained(error, ref);
      }
    },
  };
}

/** A Secret without entries and without an owner is one that was created for Fairlead. */
function refuseForeign(
  { metadata, type = ordinary, data = {} }: Secret,
  { namespace, name, exposureId }: PodSecretRef,
) {
  const owner = metadata.labels?.[exposureLabel];
  if (owner !== exposureId && (owner !== undefined || Object.keys(data).length > 0))
    throw new KubernetesRefused(
      `the Secret ${namespace}/${name} exists and does not belong to this exposure. Remove it if unused, or enter another name`,
    );
  if (type !== ordinary)
    throw new KubernetesRefused(
      `the Secret ${namespace}/${name} has the type ${type}, which can't be changed: create it again with the type ${ordinary}`,
    );
}

function isAsWanted({ metadata, data = {} }: Secret, labels: object, wanted: Record<string, string>): boolean {
  const isSame = (a: object, b: object) => Object.entries(a).every(([key, value]) => Reflect.get(b, key) === value);
  return isSame(labels, metadata.labels ?? {}) && isSame(wanted, data) && isSame(data, wanted);
}

const isConflict = (error: unknown): boolean => error instanceof KubernetesError && error.status === 409;
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
