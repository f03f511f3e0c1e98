import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in MiB, or 0 if it has exited. */
export function residentMemory(pid: number): number {
  try {
    return Math.round(kibibytes(pid) / 1024);
  } catch {
    return 0;
  }
}

function kibibytes(pid: number): number {
  if (process.platform === 'linux') {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}
