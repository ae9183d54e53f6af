/** shareText formats a share so that only the whole is 100 %, and only zero is 0 %. */
export function shareText(share: number): string {
  if (share >= 1) return "100 %";
  if (share <= 0) return "0 %";
  const percent = Math.min(99.9, Math.max(0.1, share * 100));
  return `${percent > 99 || percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}
