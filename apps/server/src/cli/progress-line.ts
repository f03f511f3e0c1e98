import type { BackupStep, OnProgress } from '../backup/backup-progress.ts';
import type { Terminal } from './terminal.ts';

/** The last line of a terminal, which shows the progress of a long command. */
export interface ProgressLine {
  readonly report: OnProgress;
  /** Clears the line, so that other output can follow. */
  readonly clear: () => void;
}

/** Milliseconds before the line appears, and between two updates. */
const UPDATE_INTERVAL = 500;
/** Duration of a step in milliseconds after which the time left is estimated. */
const ESTIMATE_AFTER = 1_000;
const MIB = 2 ** 20;

const TITLES: Readonly<Record<BackupStep, string>> = {
  'read-archive': 'Reading the archive (MiB)',
  'copy-rows': 'Copying rows',
  'archive-files': 'Archiving media files',
  'store-files': 'Storing media files',
};

/** Creates the line of progress on standard error. Nothing is shown if that is not a terminal. */
export function createProgressLine(
  { stderr }: Pick<Terminal, 'stderr'>,
  now: () => number = () => performance.now(),
): ProgressLine {
  let step: BackupStep | undefined;
  let startedAt = 0;
  let updatedAt = now();
  let isVisible = false;

  return {
    report: (current, done, total) => {
      if (stderr.isTTY !== true) return;
      const time = now();
      if (current !== step) {
        step = current;
        startedAt = time;
      }
      if (time - updatedAt < UPDATE_INTERVAL) return;
      updatedAt = time;
      isVisible = true;
      stderr.write(`\r\u001B[K${formatProgress(current, done, total, time - startedAt)}`);
    },
    clear: () => {
      if (isVisible) stderr.write('\r\u001B[K');
      isVisible = false;
    },
  };
}

function formatProgress(
  step: BackupStep,
  done: number,
  total: number | undefined,
  elapsed: number,
): string {
  const unit = step === 'read-archive' ? MIB : 1;
  const [current, all] = [done, total].map((count) =>
    count === undefined ? undefined : Math.round(count / unit).toLocaleString('en'),
  );
  if (total === undefined) return `${TITLES[step]}: ${current}`;
  const isMeasured = done > 0 && elapsed >= ESTIMATE_AFTER;
  const left = isMeasured ? (elapsed * (total - done)) / done : undefined;
  const time = left === undefined ? '' : `, ${formatDuration(left)} left`;
  return `${TITLES[step]}: ${current} of ${all}${time}`;
}

/** Formats milliseconds with their two largest units. */
function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
