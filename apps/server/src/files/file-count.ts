/** Returns a number of files in words, such as `1 media file`. */
export function describeFileCount(count: number, noun = 'file'): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
