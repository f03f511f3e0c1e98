/** Returns the quantile `q` (0 to 1) of values in ascending order; NaN if there are none. */
export function quantile(ascending: readonly number[], q: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * q))] ?? Number.NaN;
}

/** Returns the median; NaN if there are no values. */
export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
