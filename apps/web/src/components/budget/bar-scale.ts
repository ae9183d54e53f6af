import type { Budget } from "@fairlead/domain/budget";

/** The parts of a bar, in percent of its width. */
export type BarScale = { spent: number; forecast: number | null; amount: number };

/** barScale fits spent, forecast and the amount into one bar. */
export function barScale({ amountMicros, status }: Pick<Budget, "amountMicros" | "status">): BarScale {
  const spent = status?.spentMicros ?? 0;
  const forecast = status && status.state !== "unknown" ? status.forecastMicros : null;
  const most = Math.max(amountMicros, spent, forecast ?? 0);
  const percent = (micros: number) => (micros / most) * 100;
  return {
    spent: percent(spent),
    forecast: forecast === null ? null : percent(forecast),
    amount: percent(amountMicros),
  };
}
