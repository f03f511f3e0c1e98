/** Resolves after `ms` milliseconds, or immediately if it is not positive. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, ms));
  });
}
