/** The steps of a backup or a restore that take long. */
export type BackupStep = 'read-archive' | 'copy-rows' | 'archive-files' | 'store-files';

/**
 * Called with the progress of a step, often. The counts are bytes of the archive, rows or files;
 * `total` is undefined if it is unknown.
 */
export type OnProgress = (step: BackupStep, done: number, total: number | undefined) => void;
