import type { MinUploadRate } from './upload-rate-monitor.ts';

/** Limits of uploads in progress. */
export interface UploadLimits {
  readonly maxPerUser: number;
  /** Others of the network wait. */
  readonly maxPerNetwork: number;
  /** Maximum number of uploads of a network that wait. */
  readonly maxWaiting: number;
  /** Milliseconds that an upload waits before another one may have to give way. */
  readonly patience: number;
  /** Milliseconds that an upload waits at most. */
  readonly waitMax: number;
  readonly maxTotal: number;
  /**
   * Number of further uploads for networks without one, as those that were received and wait for their inspection do not
   * give way.
   */
  readonly reserved: number;
  readonly minRate: MinUploadRate;
}

/** The default limits. Even a bad mobile connection reaches the minimum speed: it sends 20 KiB/s. */
export const UPLOAD_LIMITS: UploadLimits = {
  maxPerUser: 4,
  maxPerNetwork: 8,
  maxWaiting: 100,
  patience: 5_000,
  waitMax: 15_000,
  maxTotal: 100,
  reserved: 20,
  minRate: { gracePeriod: 15_000, bytesPerSecond: 8 * 1024 },
};
