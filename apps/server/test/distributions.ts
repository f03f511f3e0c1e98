/** How much the medians of two distributions may differ. */
export interface Tolerance {
  readonly milliseconds: number;
  /** Relative to the second median. */
  readonly share: number;
}

/** Critical value of the Kolmogorov–Smirnov test at α = 0.001. */
const CRITICAL = Math.sqrt(-Math.log(0.001 / 2) / 2);

/** Standard deviations of a normal distribution that contain 99.9 % of it. */
const WIDE = 3.29;

/**
 * Returns how two samples of times differ more than by chance and tolerance, or undefined: by their
 * medians, or by the two-sample Kolmogorov–Smirnov test of their shapes. A slow or busy machine
 * widens the tolerance of the medians to what can be measured.
 */
export function findDifference(
  first: readonly number[],
  second: readonly number[],
  { milliseconds, share }: Tolerance,
): string | undefined {
  const [a, b] = [sorted(first), sorted(second)];
  const [m, n] = [quantile(a, 0.5), quantile(b, 0.5)];
  const measurable = Math.hypot(medianError(a), medianError(b));
  const tolerance = Math.max(milliseconds, share * n, measurable);
  if (Math.abs(m - n) > tolerance) {
    return `medians ${m.toFixed(3)} and ${n.toFixed(3)} differ by more than ${tolerance.toFixed(3)}`;
  }
  // Where all times are nearly the same, a tolerable difference of the medians already makes two
  // distributions that hardly overlap, so only the shapes are compared.
  // The median of times in two clusters is nearly arbitrary, so equal ones are compared as they are.
  const shifted = a.map((time) => time + n - m);
  const distance = Math.min(maxDistance(a, b), maxDistance(shifted, b));
  const allowed = CRITICAL * Math.sqrt((a.length + b.length) / (a.length * b.length));
  if (distance <= allowed) return undefined;
  return `distance ${distance.toFixed(3)} > ${allowed.toFixed(3)}`;
}

/** Returns the difference between the upper and the lower quartile. */
export function spreadOf(times: readonly number[]): number {
  const all = sorted(times);
  return quantile(all, 0.75) - quantile(all, 0.25);
}

/** Returns the largest difference between two cumulative distributions. */
function maxDistance(a: readonly number[], b: readonly number[]): number {
  let largest = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const at = Math.min(a[i] ?? 0, b[j] ?? 0);
    while (i < a.length && (a[i] ?? 0) <= at) i += 1;
    while (j < b.length && (b[j] ?? 0) <= at) j += 1;
    largest = Math.max(largest, Math.abs(i / a.length - j / b.length));
  }
  return largest;
}

/** Returns half the width of the confidence interval of a median, from the ranks around it. */
function medianError(all: readonly number[]): number {
  const share = WIDE / 2 / Math.sqrt(all.length);
  return (quantile(all, Math.min(1, 0.5 + share)) - quantile(all, Math.max(0, 0.5 - share))) / 2;
}

function quantile(all: readonly number[], share: number): number {
  return all[Math.round(share * (all.length - 1))] ?? 0;
}

function sorted(times: readonly number[]): number[] {
  return times.toSorted((a, b) => a - b);
}
