import { spawnSync } from 'node:child_process';
import { onTestFinished, type TestContext } from 'vitest';

/** Mounts a small disk at a folder until the test ends. Skips the test where the system does not allow it. */
export function mountSmallDisk(folder: string, mebibytes: number, skip: TestContext['skip']): void {
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m`];
  const { status } = spawnSync('mount', [...options, 'tmpfs', folder]);
  if (status !== 0) skip('mounting a small disk is not allowed here');
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
}
