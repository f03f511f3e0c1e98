/** Returns the entries of a comma-separated list without the spaces around them. */
export function parseList(value = ''): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
