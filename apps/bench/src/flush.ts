import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './statistics.ts';

/**
 * Returns the median time that the disk of a folder takes to append 4 KiB and flush it, in
 * milliseconds.
 */
export function measureFlush(folder: string): number {
  const file = join(folder, 'flush.tmp');
  const page = Buffer.alloc(4096, 1);
  const times: number[] = [];
  const fd = openSync(file, 'w');
  for (let i = 0; i < 200; i++) {
    const start = performance.now();
    writeSync(fd, page);
    fsyncSync(fd);
    times.push(performance.now() - start);
  }
  closeSync(fd);
  rmSync(file);
  return median(times);
}
