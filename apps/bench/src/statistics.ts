/** The value below which a share `q` (0 to 1) of ascending values lies; NaN for none. */
export function quantile(ascending: readonly number[], q: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * q))] ?? Number.NaN;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
