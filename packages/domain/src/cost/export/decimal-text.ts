/** amountText writes micros as a decimal number, exactly: without separators, exponents or trailing zeros. */
export function amountText(micros: number): string {
  const digits = String(Math.abs(micros)).padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  const whole = digits.slice(0, -6);
  return `${micros < 0 ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

const mostDecimals = 12;

/** quantityText writes a quantity as a decimal number with up to 12 decimal places. */
export function quantityText(quantity: number): string {
  return quantity.toFixed(mostDecimals).replace(/\.?0+$/, "");
}
