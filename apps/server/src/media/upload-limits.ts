import type { MinUploadRate } from './upload-rate-monitor.ts';

/** Limits of uploads in progress. */
export interface UploadLimits {
  readonly maxPerUser: number;
  readonly maxTotal: number;
  readonly minRate: MinUploadRate;
}

/** The default limits. Even a bad mobile connection reaches the minimum speed: it sends 20 KiB/s. */
export const UPLOAD_LIMITS: UploadLimits = {
  maxPerUser: 4,
  maxTotal: 100,
  minRate: { gracePeriod: 15_000, bytesPerSecond: 8 * 1024 },
};
