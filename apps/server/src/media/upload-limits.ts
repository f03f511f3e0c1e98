import type { UploadPace } from './upload-pace.ts';

/** Bounds of uploads in progress. */
export interface UploadLimits {
  readonly maxPerUser: number;
  readonly maxTotal: number;
  readonly pace: UploadPace;
}

/** The default limits. They are generous: even a bad mobile connection sends 20 KiB per second. */
export const UPLOAD_LIMITS: UploadLimits = {
  maxPerUser: 4,
  maxTotal: 100,
  pace: { grace: 15_000, bytesPerSecond: 8 * 1024 },
};
