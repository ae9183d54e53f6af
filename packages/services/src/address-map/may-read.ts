import { may } from "@fairlead/domain/access";
import { hideAddresses } from "@fairlead/domain/address";
import { authorize, type ServiceContext } from "../context.ts";

/** mayReadMap reports whether the actor may read address maps, and what they could be reconstructed from. */
export function mayReadMap({ actor }: Pick<ServiceContext, "actor">): boolean {
  return may(actor, "map:read");
}

/** unlessMap returns the function that hides a row's part of the map, or one that changes nothing for an actor who may read it. */
export function unlessMap<Row>(ctx: Pick<ServiceContext, "actor">, hide: (row: Row) => Row): (row: Row) => Row {
  return mayReadMap(ctx) ? (row) => row : hide;
}

/** authorizeMapFilter refuses a filter or sort order by which an actor without map:read could find what is hidden from them. */
export function authorizeMapFilter(ctx: ServiceContext, isUsed: boolean): void {
  if (isUsed) authorize(ctx, "map:read");
}

/** withoutBalancer hides which load balancer an external address belongs to. */
export function withoutBalancer<Row extends { loadBalancerId: string | null; loadBalancerName: string | null }>(
  row: Row,
): Row {
  return { ...row, loadBalancerId: null, loadBalancerName: null };
}

/** hideMessage hides the addresses in a row's message. */
export function hideMessage<Row extends { message: string }>(row: Row): Row {
  return { ...row, message: hideAddresses(row.message) };
}

/** hideInJson hides the addresses in all texts and names of a stored value. */
export function hideInJson<Value>(value: Value): Value {
  if (typeof value === "string") return hideAddresses(value) as Value;
  if (Array.isArray(value)) return value.map(hideInJson) as Value;
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [hideAddresses(key), hideInJson(each)]),
  ) as Value;
}
