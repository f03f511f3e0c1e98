/** What is longer is no version, and too long to be told. Characters. */
const LONGEST = 64;
const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

/** Whether a version is newer than another, by semantic versioning. What is no version is never newer. */
export function isNewer(candidate: string, current: string): boolean {
  if (candidate.length > LONGEST) return false;
  const [a, b] = [VERSION.exec(candidate), VERSION.exec(current)];
  if (a === null || b === null) return false;
  for (const part of [1, 2, 3]) {
    const difference = Number(a[part]) - Number(b[part]);
    if (difference !== 0) return difference > 0;
  }
  return isLaterStage(a[4], b[4]);
}

/** A release comes after its candidates; candidates are compared part by part, numbers as numbers. */
function isLaterStage(a: string | undefined, b: string | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === undefined && b !== undefined;
  const [left, right] = [a.split('.'), b.split('.')];
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return true;
    if (part !== other) return compareParts(part, other) > 0;
  }
  return false;
}

function compareParts(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : 1;
}
