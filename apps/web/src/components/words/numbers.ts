import { count } from "@fairlead/domain/numbers";

export { capacityOf, count, decimals, significant } from "@fairlead/domain/numbers";

/** Formats a count with its noun: "1 node", "2 nodes". */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}
